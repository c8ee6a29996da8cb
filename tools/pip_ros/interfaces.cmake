# Included in every CMake project that is built for .venv (CMAKE_PROJECT_INCLUDE).
#
# Each generator of rosidl looks for Python, which starts seven processes: two thirds of the time in
# which a small package is configured. It is looked for once, with all that they ask for.
if(CMAKE_C_COMPILER_LOADED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter Development.Module NumPy)
  macro(find_package _legacy_robots_package)
    if(NOT "${_legacy_robots_package}" STREQUAL "Python3")
      _find_package(${ARGV})
    endif()
  endmacro()
endif()

# rosidl makes small files for each message and type support, which all include the same big
# headers. Compiled together they take a fraction of the time. The files *__description.c of
# rosidl_generator_c define static names twice: they are compiled one by one.
function(_legacy_robots_compile_interfaces_together)
  foreach(part generator_c generator_py typesupport_c typesupport_fastrtps_c typesupport_introspection_c)
    set(target "${PROJECT_NAME}__rosidl_${part}")
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 32)
      get_target_property(sources ${target} SOURCES)
      list(FILTER sources INCLUDE REGEX "__description\\.c$")
      set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL _legacy_robots_compile_interfaces_together)
