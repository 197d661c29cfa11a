# SPDX-License-Identifier: Apache-2.0 OR MIT
# This script tests cmake/CurveChoice.cmake with names in users' spellings.
#
#   cmake -DROOT=SOURCES -P curve_choice.cmake             tests all cases
#   cmake -DROOT=SOURCES -DNAMES=.. -P curve_choice.cmake  prints the choice for NAMES, or its error
cmake_policy(VERSION 3.22)
include(${ROOT}/cmake/CurveChoice.cmake)
set(ids bls12_381_g1 bls12_381_g2 bn254_g1 bn254_g2 grumpkin_g1 tiny_11_g1)
if(DEFINED NAMES)
    sumac_choose_curves(chosen "${NAMES}" "${ids}")
    message("${chosen}")
    return()
endif()

function(expect names expected)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${ROOT} "-DNAMES=${names}" -P ${CMAKE_CURRENT_LIST_FILE}
        OUTPUT_VARIABLE output ERROR_VARIABLE output)
    string(REGEX REPLACE "[ \n]+" " " output "${output}")
    if(NOT output MATCHES "${expected}")
        message(SEND_ERROR "\"${names}\": ${output}, expected ${expected}")
    endif()
endfunction()

expect("all" "^bls12_381_g1;bls12_381_g2;bn254_g1;bn254_g2;grumpkin_g1;tiny_11_g1 $")
expect("bn254,bls12-381" "^bls12_381_g1;bls12_381_g2;bn254_g1;bn254_g2 $")
expect("BLS12_381;Grumpkin" "^bls12_381_g1;bls12_381_g2;grumpkin_g1 $")
expect("bn254-g2,bn254_g2" "^bn254_g2 $")
expect("bn254 g1" "^bn254_g1 $")
expect("bn25" "SUMAC_CURVES names \"bn25\", and there are bls12_381_g1, ")
expect("bn254,g2" "SUMAC_CURVES names \"g2\"")
expect("" "SUMAC_CURVES names no curve")
