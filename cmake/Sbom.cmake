# SPDX-License-Identifier: Apache-2.0 OR MIT
# Writes the parts and dependencies of the installed files in SPDX 2.3. If SOURCE_DATE_EPOCH is set, it is the time of the
# document.
string(TIMESTAMP sbom_created "%Y-%m-%dT%H:%M:%SZ" UTC)
set(sbom_packages "")
set(sbom_relationships "")

function(sbom_package name version license relationship)
    string(APPEND sbom_packages ",\n    {\"name\": \"${name}\", \"SPDXID\": \"SPDXRef-${name}\", \"versionInfo\": \"${version}\", "
           "\"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"${license}\", "
           "\"licenseDeclared\": \"${license}\", \"copyrightText\": \"NOASSERTION\"}")
    if(relationship STREQUAL "DESCRIBES")
        set(from SPDXRef-DOCUMENT)
    else()
        set(from SPDXRef-sumac)
    endif()
    string(APPEND sbom_relationships ",\n    {\"spdxElementId\": \"${from}\", \"relationshipType\": \"${relationship}\", "
           "\"relatedSpdxElement\": \"SPDXRef-${name}\"}")
    set(sbom_packages "${sbom_packages}" PARENT_SCOPE)
    set(sbom_relationships "${sbom_relationships}" PARENT_SCOPE)
endfunction()

sbom_package(sumac "${PROJECT_VERSION}" "Apache-2.0 OR MIT" DESCRIBES)
if(TARGET sumac_program)
    file(STRINGS ${JANSSON_INCLUDE_DIR}/jansson.h jansson_version REGEX "define JANSSON_VERSION ")
    string(REGEX REPLACE ".*\"(.*)\"" "\\1" jansson_version "${jansson_version}")
    sbom_package(jansson "${jansson_version}" "MIT" DYNAMIC_LINK)
    # The program is installed with the points of Ethereum's ceremony.
    sbom_package(ethereum-kzg-ceremony "2023" "NOASSERTION" CONTAINS)
endif()
if(TARGET sumac_cuda)
    sbom_package(cuda-runtime "${CMAKE_CUDA_COMPILER_VERSION}" "NOASSERTION" STATIC_LINK)
endif()
string(SUBSTRING "${sbom_packages}" 2 -1 sbom_packages)
string(SUBSTRING "${sbom_relationships}" 2 -1 sbom_relationships)
configure_file(${PROJECT_SOURCE_DIR}/cmake/sumac.spdx.json.in ${PROJECT_BINARY_DIR}/sumac.spdx.json @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sumac.spdx.json DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/sumac)
