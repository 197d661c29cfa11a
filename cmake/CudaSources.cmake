# SPDX-License-Identifier: Apache-2.0 OR MIT
# Lists the sources of the CUDA engine. The engine itself needs them (Cuda.cmake), and so do the tests that run its host code
# without a GPU (tests/cuda/fake).

# The first sources are compiled once for each curve, and the next ones once for each field of scalars.
set(cuda_per_curve
    cuda/device/code
    cuda/msm/prepare_multiples cuda/msm/prepare_window_tables
    cuda/msm/accumulate_rounds_pairs cuda/msm/accumulate_rounds_slots cuda/msm/accumulate_rounds_finish
    cuda/msm/accumulate_xyzz_quads_sums
    cuda/msm/reduce_halving_tail cuda/msm/reduce_running_sum_lanes
    cuda/msm/combine_horner
    cuda/transfer/import
    cuda/vector/points cuda/vector/point_transforms cuda/vector/point_transforms_twice)
set(cuda_per_scalar_field cuda/vector/scalars cuda/vector/scalar_transforms cuda/vector/scans)

# Returns the sources and objects of an engine for these curves, with or without the kinds of named plans. The names of the
# object targets end in `suffix`. Properties of sources belong to a folder, so this must be called in the folder that defines
# the engine.
function(sumac_cuda_sources result suffix curves named_plans)
    set(source_dir ${PROJECT_SOURCE_DIR}/src)
    file(GLOB cuda_sources CONFIGURE_DEPENDS ${source_dir}/cuda/*/*.cu)
    # Named plans and the table that lists them are added as src/CMakeLists.txt does for the CPU.
    set(cuda_plan_table ${source_dir}/plans/cuda/table.cu)
    list(APPEND cuda_sources ${cuda_plan_table})
    if(named_plans)
        file(GLOB cuda_plan_sources CONFIGURE_DEPENDS ${source_dir}/plans/cuda/*.cu)
        list(APPEND cuda_sources ${cuda_plan_sources})
        list(REMOVE_DUPLICATES cuda_sources)
        list(APPEND cuda_per_curve plans/cuda/xyzz_sums)
        set_source_files_properties(${cuda_plan_table} PROPERTIES COMPILE_DEFINITIONS SUMAC_NAMED_PLANS)
    endif()
    list(TRANSFORM cuda_per_curve REPLACE "(.+)" "${source_dir}/\\1.cu" OUTPUT_VARIABLE cuda_curve_sources)
    list(TRANSFORM cuda_per_scalar_field REPLACE "(.+)" "${source_dir}/\\1.cu" OUTPUT_VARIABLE cuda_scalar_field_sources)
    list(REMOVE_ITEM cuda_sources ${cuda_curve_sources} ${cuda_scalar_field_sources})

    set(declarations "")
    set(entries "")
    set(xyzz_declarations "")
    set(xyzz_entries "")
    set(cuda_objects)
    set(cuda_scalar_fields)
    foreach(curve ${curves})
        set(targets sumac_${curve}_${suffix})
        add_library(sumac_${curve}_${suffix} OBJECT ${cuda_curve_sources})
        file(STRINGS ${SUMAC_CURVE_HEADERS}/${curve}.h scalar_field REGEX "define FR_ID ")
        string(REGEX REPLACE ".*FR_ID " "" scalar_field ${scalar_field})
        if(NOT scalar_field IN_LIST cuda_scalar_fields) # the groups of a curve share a field of scalars
            list(APPEND cuda_scalar_fields ${scalar_field})
            list(APPEND targets sumac_${scalar_field}_scalars_${suffix})
            add_library(sumac_${scalar_field}_scalars_${suffix} OBJECT ${cuda_scalar_field_sources})
        endif()
        foreach(target ${targets})
            target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${source_dir})
            target_compile_definitions(${target} PRIVATE SUMAC_CURVE_HEADER="curves/generated/${curve}.h")
            list(APPEND cuda_objects $<TARGET_OBJECTS:${target}>)
        endforeach()
        string(APPEND declarations "extern const cuda_group sumac_group_${curve}_cuda;\n")
        string(APPEND entries "    &sumac_group_${curve}_cuda,\n")
        string(APPEND xyzz_declarations "extern const cuda_group sumac_group_${curve}_cuda;\n"
               "extern const xyzz_ops sumac_xyzz_${curve}_cuda;\n")
        string(APPEND xyzz_entries "    {&sumac_group_${curve}_cuda, &sumac_xyzz_${curve}_cuda},\n")
    endforeach()
    set(cuda_registry ${CMAKE_CURRENT_BINARY_DIR}/registry_${suffix}.cu)
    configure_file(${source_dir}/cuda/device/registry.cu.in ${cuda_registry} @ONLY)
    list(APPEND cuda_sources ${cuda_registry})
    if(named_plans)
        set(xyzz_registry ${CMAKE_CURRENT_BINARY_DIR}/xyzz_groups_${suffix}.cu)
        configure_file(${source_dir}/plans/cuda/groups.cu.in ${xyzz_registry} @ONLY)
        list(APPEND cuda_sources ${xyzz_registry})
    endif()
    set_source_files_properties(${source_dir}/cuda/device/backend.cu PROPERTIES
        COMPILE_DEFINITIONS ${SUMAC_ENGINE_INTERFACE_DEFINITION})
    set(${result} ${cuda_sources} ${cuda_objects} PARENT_SCOPE)
endfunction()
