# SPDX-License-Identifier: Apache-2.0 OR MIT
# Unpacks the points of Ethereum's ceremony, trusted_setup.txt, and sets SUMAC_TRUSTED_SETUP to the file.
set(setup_archive ${PROJECT_SOURCE_DIR}/data/kzg-demo.tar.xz)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${setup_archive})
file(ARCHIVE_EXTRACT INPUT ${setup_archive} DESTINATION ${PROJECT_BINARY_DIR}/cmake PATTERNS kzg/trusted_setup.txt)
set(SUMAC_TRUSTED_SETUP ${PROJECT_BINARY_DIR}/cmake/kzg/trusted_setup.txt)
