// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Sums are compared with those of arkworks. For points outside the subgroup they are compared with doublings and additions.

mod v0_5 {
    use ark_bls12_377_0_5 as ark_bls12_377;
    use ark_bls12_381_0_5 as ark_bls12_381;
    use ark_bn254_0_5 as ark_bn254;
    use ark_bw6_761_0_5 as ark_bw6_761;
    use ark_ec_0_5 as ark_ec;
    use ark_ff_0_5 as ark_ff;
    use ark_std_0_5 as ark_std;
    use sumac_ark::v0_5::*;

    /// A point whose flag is set is infinity, whatever its coordinates are.
    #[test]
    fn flagged() {
        let Some(_) = library_has::<ark_bn254::g1::Config>() else { return };
        let generator = <ark_bn254::g1::Config as SWCurveConfig>::GENERATOR;
        let points = [ark_bn254::G1Affine { infinity: true, ..generator }, generator];
        assert_eq!(msm(&points, &[5u64.into(), 1u64.into()]).unwrap(), generator);
    }

    include!("cases/sums.rs");
}

mod v0_6 {
    use ark_bls12_377_0_6 as ark_bls12_377;
    use ark_bls12_381_0_6 as ark_bls12_381;
    use ark_bn254_0_6 as ark_bn254;
    use ark_bw6_761_0_6 as ark_bw6_761;
    use ark_ec_0_6 as ark_ec;
    use ark_ff_0_6 as ark_ff;
    use ark_std_0_6 as ark_std;
    use sumac_ark::v0_6::*;

    include!("cases/sums.rs");
}
