# SPDX-License-Identifier: Apache-2.0 OR MIT
# A release writes its checksum here (CONTRIBUTING.md). The archive contains this file, so it can't contain its own checksum.
class Sumac < Formula
  desc "Multi-scalar multiplication, KZG and Groth16 proofs on CPUs and GPUs"
  homepage "https://github.com/sumac-msm/sumac"
  url "https://github.com/sumac-msm/sumac/releases/download/v0.9.0/sumac-0.9.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["Apache-2.0", "MIT"]

  depends_on "cmake" => :build
  depends_on "jansson"

  on_macos do
    depends_on arch: :arm64
  end

  def install
    system "cmake", "-S", ".", "-B", "build", "-DSUMAC_TESTS=OFF", "-DSUMAC_CUDA=OFF", "-DSUMAC_MPI=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    # The sum is verified from the points' discrete logarithms.
    assert_match "yes", shell_output("#{bin}/sumac bench --curve bn254 -n 2^8 --runs 1")
  end
end
