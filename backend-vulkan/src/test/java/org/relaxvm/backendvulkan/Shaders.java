package org.relaxvm.backendvulkan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendvulkan.kernels.ShaderCompiler;
import org.relaxvm.backendvulkan.kernels.SpirvTarget;
import org.relaxvm.backendvulkan.kernels.SpirvTarget.FloatControls;

/** Makes images of shaders, as another compiler would give them. */
final class Shaders {
  private static final SpirvTarget TARGET =
      new SpirvTarget(false, FloatControls.NONE, FloatControls.NONE);
  private static final int OP_ENTRY_POINT = 15;
  private static final int HEADER = 5;

  private Shaders() {}

  /** An image of one kernel, whose entry point has its name. */
  static ModuleImage image(String glsl, KernelEntry entry) {
    return image(named(compile(entry.name(), glsl), entry.name()), entry);
  }

  /** An image of one kernel in SPIR-V. */
  static ModuleImage image(byte[] spirv, KernelEntry entry) {
    return new ModuleImage(
        VulkanModule.FORMAT, List.of(entry.name()), MemorySegment.ofArray(spirv), List.of(entry));
  }

  /** Compiles; the entry point is {@code main}. */
  static byte[] compile(String name, String glsl) {
    return ShaderCompiler.compile(name, glsl, TARGET);
  }

  /** Gives the entry point {@code main} another name. */
  static byte[] named(byte[] spirv, String name) {
    ByteBuffer in = ByteBuffer.wrap(spirv).order(ByteOrder.LITTLE_ENDIAN);
    byte[] text = name.getBytes(UTF_8);
    int words = text.length / Integer.BYTES + 1;
    ByteBuffer out =
        ByteBuffer.allocate(spirv.length + (words - 2) * Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    int at = HEADER * Integer.BYTES;
    out.put(in.slice(0, at));
    while (at < spirv.length) {
      int size = (in.getInt(at) >>> 16) * Integer.BYTES;
      if ((in.getInt(at) & 0xFFFF) == OP_ENTRY_POINT) {
        out.putInt(((size / Integer.BYTES + words - 2) << 16) | OP_ENTRY_POINT);
        out.put(in.slice(at + 4, 8));
        out.put(text).position(out.position() + words * Integer.BYTES - text.length);
        out.put(in.slice(at + 20, size - 20));
      } else {
        out.put(in.slice(at, size));
      }
      at += size;
    }
    return out.array();
  }
}
