# SPDX-License-Identifier: Apache-2.0 OR MIT
# A release writes its checksum here (CONTRIBUTING.md). The archive contains this file, so it can't contain its own checksum.
vcpkg_from_github(OUT_SOURCE_PATH SOURCE_PATH REPO sumac-msm/sumac REF "v${VERSION}" SHA512 0 HEAD_REF main)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DSUMAC_TESTS=OFF -DSUMAC_PROGRAM=OFF -DSUMAC_CUDA=OFF -DSUMAC_MPI=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sumac)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-APACHE" "${SOURCE_PATH}/LICENSE-MIT")
