package org.relaxvm.backendvulkan.kernels;

import static org.lwjgl.util.shaderc.Shaderc.shaderc_compilation_status_success;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_into_spv;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_initialize;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_optimization_level;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_target_env;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compile_options_set_target_spirv;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_compiler_initialize;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_env_version_vulkan_1_2;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_env_version_vulkan_1_3;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_glsl_compute_shader;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_optimization_level_zero;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_bytes;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_compilation_status;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_get_error_message;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_result_release;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_spirv_version_1_5;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_spirv_version_1_6;
import static org.lwjgl.util.shaderc.Shaderc.shaderc_target_env_vulkan;

import java.nio.ByteBuffer;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.shaderc.Shaderc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendsupport.gpu.module.FailedSourceDump;
import org.relaxvm.backendvulkan.driver.LwjglLibrary;

/**
 * Compiles shaders in GLSL. There is one compiler for all, which lives as long as the process.
 *
 * <p>Thread-safe; compiles for several threads at once.
 *
 * <p>Rationale: docs/rationale/backend-vulkan.md, "Why is the shader compiler's optimiser off?"
 */
public final class ShaderCompiler {
  /** System property: the folder for sources that the compiler refuses. */
  public static final String FAILED_SOURCES = "relaxvm.vulkan.failedSources";

  private static final FailedSourceDump REFUSED = new FailedSourceDump(FAILED_SOURCES, ".comp");

  private ShaderCompiler() {}

  /**
   * Compiles a compute shader.
   *
   * @param name for messages
   * @param shader the whole text
   * @return SPIR-V, little-endian: 1.6 for Vulkan 1.3, else 1.5
   * @throws BackendException when it is refused, with the compiler's log and where the source was
   *     written, or when there is no compiler
   */
  public static byte[] compile(String name, String shader, SpirvTarget target) {
    return compile(name, shader, target, BackendOptions.none());
  }

  /** As the other method, with options of the backend. */
  public static byte[] compile(
      String name, String shader, SpirvTarget target, BackendOptions options) {
    return ExactFloats.in(SpirvModule.of(spirv(name, shader, target, options)), target);
  }

  private static byte[] spirv(
      String name, String shader, SpirvTarget target, BackendOptions settings) {
    Compiler compiler = compiler(name);
    // Sources may be larger than the stack from which strings are passed otherwise.
    ByteBuffer source = MemoryUtil.memUTF8(shader, false);
    ByteBuffer file = MemoryUtil.memUTF8(name);
    ByteBuffer entry = MemoryUtil.memUTF8("main");
    long result = MemoryUtil.NULL;
    try {
      long options = target.vulkan13() ? compiler.vulkan13 : compiler.vulkan12;
      result =
          shaderc_compile_into_spv(
              compiler.handle, source, shaderc_glsl_compute_shader, file, entry, options);
      if (result == MemoryUtil.NULL) {
        throw refused(settings, name, shader, "no result: out of memory");
      }
      if (shaderc_result_get_compilation_status(result) != shaderc_compilation_status_success) {
        String log = shaderc_result_get_error_message(result);
        throw refused(settings, name, shader, log == null ? "" : log);
      }
      ByteBuffer code = shaderc_result_get_bytes(result);
      if (code == null) {
        throw refused(settings, name, shader, "no code");
      }
      byte[] bytes = new byte[code.remaining()];
      code.get(bytes);
      return bytes;
    } finally {
      if (result != MemoryUtil.NULL) {
        shaderc_result_release(result);
      }
      MemoryUtil.memFree(entry);
      MemoryUtil.memFree(file);
      MemoryUtil.memFree(source);
    }
  }

  private static Compiler compiler(String name) {
    try {
      LwjglLibrary.load(Shaderc.class);
      return Compiler.INSTANCE;
    } catch (LinkageError e) {
      throw new BackendException(
          ErrorKind.RUNTIME,
          "cannot compile the shader of "
              + name
              + ": the compiler of shaders, shaderc, cannot be loaded: "
              + e
              + "\n  what to do: put lwjgl-shaderc with the natives of this platform on the path,"
              + " or use another device",
          e);
    }
  }

  private static BackendException refused(
      BackendOptions settings, String name, String shader, String log) {
    return new BackendException(
        ErrorKind.INTERNAL,
        "shaderc cannot compile the shader of " + name + REFUSED.describe(settings, log, shader));
  }

  /** The compiler with its options, which compilations only read. */
  private static final class Compiler {
    static final Compiler INSTANCE = new Compiler();

    final long handle = shaderc_compiler_initialize();
    final long vulkan12 = options(shaderc_env_version_vulkan_1_2, shaderc_spirv_version_1_5);
    final long vulkan13 = options(shaderc_env_version_vulkan_1_3, shaderc_spirv_version_1_6);

    private static long options(int environment, int version) {
      long options = shaderc_compile_options_initialize();
      shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, environment);
      shaderc_compile_options_set_target_spirv(options, version);
      // Its optimizer takes x * 0 for 0 and x / 3 for x * (1 / 3); drivers optimize themselves.
      shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_zero);
      return options;
    }
  }
}
