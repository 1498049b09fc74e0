package org.relaxvm.interoptvm.device;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.vmcore.binary.ByteSink;
import org.relaxvm.vmcore.binary.TensorBlob;

/**
 * Writes modules for devices: what {@link DeviceModuleReader} read comes out with the same bytes.
 *
 * <p>Source: docs/spec/device-modules.md, section 1. Stateless and thread-safe.
 */
public final class DeviceModuleWriter {
  private DeviceModuleWriter() {}

  /** The bytes of a module. */
  public static byte[] write(DeviceModule module) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ByteSink out = ByteSink.to(bytes);
      write(module, out);
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException("memory takes every byte", e);
    }
    return bytes.toByteArray();
  }

  private static void write(DeviceModule module, ByteSink out) throws IOException {
    out.string(module.format());
    out.i64(module.kernels().size());
    for (Map.Entry<String, KernelInfo> kernel : module.kernels().entrySet()) {
      out.string(kernel.getKey());
      write(kernel.getValue(), module.extraTags(), out);
    }
    switch (module.code()) {
      case DeviceCode.Blob(MemorySegment code) -> {
        out.i64(code.byteSize());
        out.segment(code);
      }
      case DeviceCode.Shaders(Map<String, DeviceCode.Shader> shaders) -> {
        out.i64(shaders.size());
        for (Map.Entry<String, DeviceCode.Shader> shader : shaders.entrySet()) {
          out.string(shader.getKey());
          write(shader.getValue(), out);
        }
      }
    }
  }

  private static void write(KernelInfo kernel, boolean extraTags, ByteSink out) throws IOException {
    out.string(kernel.name());
    out.i64(kernel.argTypes().size());
    for (DType dtype : kernel.argTypes()) {
      TensorBlob.writeDType(out, dtype);
    }
    out.i64(kernel.launchTags().size());
    for (String tag : kernel.launchTags()) {
      out.string(tag);
    }
    if (extraTags) {
      out.i64(kernel.extraTags().size());
      for (int tag : kernel.extraTags()) {
        out.i32(tag);
      }
    }
  }

  private static void write(DeviceCode.Shader shader, ByteSink out) throws IOException {
    // The flags and the number of words stand in front.
    out.i64(Integer.BYTES + Long.BYTES + shader.words().byteSize());
    out.i32(shader.flags());
    out.i64(shader.words().byteSize() / Integer.BYTES);
    out.segment(shader.words());
  }
}
