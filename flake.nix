# SPDX-License-Identifier: Apache-2.0 OR MIT
{
  description = "Multi-scalar multiplication, KZG and Groth16 proofs on CPUs and GPUs";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-24.11";
  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.stdenv.mkDerivation {
          pname = "sumac";
          version = "0.9.0";
          src = self;
          nativeBuildInputs = [ pkgs.cmake pkgs.ninja ];
          buildInputs = [ pkgs.jansson ];
          # The folders must be relative, because pkg-config's files and the program find others from their own place.
          cmakeFlags = [
            "-DSUMAC_TESTS=OFF"
            "-DSUMAC_CUDA=OFF"
            "-DSUMAC_MPI=OFF"
            "-DCMAKE_INSTALL_BINDIR=bin"
            "-DCMAKE_INSTALL_LIBDIR=lib"
            "-DCMAKE_INSTALL_LIBEXECDIR=libexec"
            "-DCMAKE_INSTALL_INCLUDEDIR=include"
            "-DCMAKE_INSTALL_MANDIR=share/man"
          ];
          meta = {
            homepage = "https://github.com/sumac-msm/sumac";
            license = [ pkgs.lib.licenses.asl20 pkgs.lib.licenses.mit ];
            mainProgram = "sumac";
          };
        };
      });
    };
}
