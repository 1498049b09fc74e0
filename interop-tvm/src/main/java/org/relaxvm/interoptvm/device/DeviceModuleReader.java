package org.relaxvm.interoptvm.device;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FormatProblem;
import org.relaxvm.vmcore.binary.TensorBlob;

/**
 * Reads modules for devices. A module does not say which release wrote it: it is read with the
 * field of extra tags first and then without, and the first reading that uses up all bytes counts.
 *
 * <p>Source: docs/spec/device-modules.md, section 1. Stateless and thread-safe.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "How is it known whether a device module has extra
 * tags?"
 */
public final class DeviceModuleReader {
  /** The kinds that are known. */
  public static final Set<String> KINDS = Set.of("cuda", "opencl", "vulkan", "hip", "hsaco");

  /** The kinds whose layout in libraries of Apache TVM 0.20 and older is known. */
  public static final Set<String> OLD_KINDS = Set.of("cuda", "opencl", "hip", "hsaco");

  private static final String SHADERS = "vulkan";

  // A key, a name, and three counts.
  private static final int KERNEL_BYTES = 40;

  // A name, the length of its bytes, a flag and the number of words.
  private static final int SHADER_BYTES = 28;

  private final String kind;
  private final boolean extraTags;
  private final ByteCursor in;

  private DeviceModuleReader(String kind, boolean extraTags, MemorySegment bytes) {
    this.kind = kind;
    this.extraTags = extraTags;
    this.in = new ByteCursor(bytes);
    in.section(FormatProblem.of("malformed device module of kind " + kind));
  }

  /**
   * Reads a module.
   *
   * @param kind one of {@link #KINDS}
   * @param bytes all of the module; the result has views of it
   * @throws MalformedFileException with the position of the damage in the reading that came further
   */
  public static DeviceModule read(String kind, MemorySegment bytes) {
    if (!KINDS.contains(kind)) {
      throw new IllegalArgumentException("'" + kind + "' is none of " + KINDS);
    }
    DeviceModuleReader current = new DeviceModuleReader(kind, true, bytes);
    try {
      return current.module();
    } catch (MalformedFileException e) {
      DeviceModuleReader older = new DeviceModuleReader(kind, false, bytes);
      try {
        return older.module();
      } catch (MalformedFileException f) {
        // What one reading misunderstands early, the other may have read in full.
        throw older.in.position() > current.in.position() ? f : e;
      }
    }
  }

  /**
   * The number of bytes of the module that begins here, without extra tags, as Apache TVM 0.20 and
   * older write it.
   *
   * @param kind one of {@link #OLD_KINDS}
   * @throws MalformedFileException with the position of the damage from the module's start on
   */
  public static long oldLength(String kind, MemorySegment bytes) {
    if (!OLD_KINDS.contains(kind)) {
      throw new IllegalArgumentException("'" + kind + "' is none of " + OLD_KINDS);
    }
    DeviceModuleReader old = new DeviceModuleReader(kind, false, bytes);
    old.in.string("format");
    old.kernels();
    old.blob();
    return old.in.position();
  }

  private DeviceModule module() {
    String format = in.string("format");
    SequencedMap<String, KernelInfo> kernels = kernels();
    long codeAt = in.position();
    DeviceCode code = kind.equals(SHADERS) ? shaders() : blob();
    if (!extraTags && !kernels.isEmpty() && !looksLikeCode(code)) {
      throw in.fail(
          codeAt,
          "extra tags and code",
          "code, or all extra tags",
          "less than all extra tags",
          ByteCursor.CUT_SHORT);
    }
    if (in.remaining() > 0) {
      throw in.fail(
          in.position(),
          "end of the module",
          "no more bytes",
          in.remaining() + " bytes",
          ByteCursor.DAMAGED);
    }
    return new DeviceModule(kind, format, kernels, code, extraTags);
  }

  /**
   * Whether this is code and not the number and the first bytes of extra tags in a module that is
   * cut short there: tags are 0 and 1, and no code begins with such a byte.
   */
  private static boolean looksLikeCode(DeviceCode code) {
    return switch (code) {
      case DeviceCode.Blob(MemorySegment bytes) ->
          bytes.byteSize() > 0 && (bytes.get(ValueLayout.JAVA_BYTE, 0) & ~1) != 0;
      case DeviceCode.Shaders(Map<String, DeviceCode.Shader> shaders) -> !shaders.isEmpty();
    };
  }

  private SequencedMap<String, KernelInfo> kernels() {
    int count = in.count("number of kernels", extraTags ? KERNEL_BYTES : KERNEL_BYTES - 8);
    SequencedMap<String, KernelInfo> kernels = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      in.item("kernel", i, count);
      long at = in.position();
      String key = in.string("key");
      KernelInfo kernel = kernel();
      if (!kernel.name().equals(key)) {
        throw in.fail(
            at, "name", "its key, '" + key + "'", "'" + kernel.name() + "'", ByteCursor.DAMAGED);
      }
      if (kernels.putLast(key, kernel) != null) {
        throw twice(at, key);
      }
    }
    return kernels;
  }

  private KernelInfo kernel() {
    String name = in.string("name");
    int argCount = in.count("number of argument types", 4);
    List<DType> argTypes = new ArrayList<>(argCount);
    for (int i = 0; i < argCount; i++) {
      argTypes.add(TensorBlob.readDType(in));
    }
    int tagCount = in.count("number of launch tags", 8);
    List<String> launchTags = new ArrayList<>(tagCount);
    for (int i = 0; i < tagCount; i++) {
      launchTags.add(in.string("launch tag"));
    }
    List<Integer> tags = new ArrayList<>();
    if (extraTags) {
      int count = in.count("number of extra tags", 4);
      for (int i = 0; i < count; i++) {
        tags.add(in.i32("extra tag"));
      }
    }
    return new KernelInfo(name, argTypes, launchTags, tags);
  }

  private DeviceCode blob() {
    int length = in.count("byte length of the code", 1);
    return new DeviceCode.Blob(in.slice(length, "code"));
  }

  private DeviceCode shaders() {
    int count = in.count("number of shaders", SHADER_BYTES);
    SequencedMap<String, DeviceCode.Shader> shaders = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      in.item("shader", i, count);
      long at = in.position();
      String name = in.string("name");
      if (shaders.putLast(name, shader()) != null) {
        throw twice(at, name);
      }
    }
    return new DeviceCode.Shaders(shaders);
  }

  private DeviceCode.Shader shader() {
    long at = in.position();
    int length = in.count("byte length of the shader", 1);
    long start = in.position();
    int flags = in.i32("flags");
    int words = in.count("number of words", 4);
    MemorySegment code = in.slice(4L * words, "words");
    if (in.position() - start != length) {
      throw in.fail(
          at,
          "byte length of the shader",
          in.position() - start + " for " + words + " words",
          Integer.toString(length),
          ByteCursor.DAMAGED);
    }
    return new DeviceCode.Shader(flags, code);
  }

  private MalformedFileException twice(long at, String name) {
    return in.fail(at, "name", "each name once", "'" + name + "' again", ByteCursor.DAMAGED);
  }
}
