package org.relaxvm.backendvulkan.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.DeviceFacts;
import org.relaxvm.backendvulkan.kernels.KernelInterface;

/**
 * A shader in SPIR-V, as far as a device has to know it before its driver sees it: drivers trust
 * what they are given.
 *
 * <p>Source: SPIR-V specification 1.6, sections 2.3 and 3. Immutable.
 */
final class ShaderCode {
  private static final int MAGIC = 0x07230203;
  private static final int HEADER_WORDS = 5;
  private static final int OP_ENTRY_POINT = 15;
  private static final int OP_EXECUTION_MODE = 16;
  private static final int OP_CAPABILITY = 17;
  private static final int OP_DECORATE = 71;
  private static final int EXECUTION_MODEL_COMPUTE = 5;
  private static final int MODE_LOCAL_SIZE = 17;
  private static final int DECORATION_BINDING = 33;
  private static final int DECORATION_SET = 34;

  private final byte[] bytes;
  private final Set<Integer> capabilities = new TreeSet<>();
  private final Set<String> entryPoints = new TreeSet<>();
  private final List<long[]> groupSizes = new ArrayList<>();
  private long mostBinding = -1;
  private long mostSet;

  private ShaderCode(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads a shader.
   *
   * @param name for messages
   * @param bytes little-endian; not copied
   * @throws BackendException when it is none
   */
  static ShaderCode of(DeviceContext context, String name, byte[] bytes) {
    ShaderCode code = new ShaderCode(bytes);
    String fault = code.read();
    if (!fault.isEmpty()) {
      throw new BackendException(
          ErrorKind.VALUE,
          context.id() + " cannot take the shader of kernel " + name + ": " + fault);
    }
    return code;
  }

  /** The shader as it was given. */
  byte[] bytes() {
    return bytes;
  }

  /** What is wrong; empty for nothing. */
  private String read() {
    if (bytes.length < HEADER_WORDS * Integer.BYTES || bytes.length % Integer.BYTES != 0) {
      return "it has " + bytes.length + " bytes, which are no SPIR-V";
    }
    IntBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    if (words.get(0) != MAGIC) {
      return "it starts with %08x instead of %08x, so that it is no SPIR-V"
          .formatted(words.get(0), MAGIC);
    }
    int at = HEADER_WORDS;
    while (at < words.limit()) {
      int length = words.get(at) >>> 16;
      if (length == 0 || length > words.limit() - at) {
        return "the instruction at word " + at + " does not end within it";
      }
      instruction(words.get(at) & 0xFFFF, words.slice(at + 1, length - 1));
      at += length;
    }
    return "";
  }

  private void instruction(int operation, IntBuffer operands) {
    int count = operands.limit();
    if (operation == OP_CAPABILITY && count >= 1) {
      capabilities.add(operands.get(0));
    } else if (operation == OP_ENTRY_POINT
        && count >= 3
        && operands.get(0) == EXECUTION_MODEL_COMPUTE) {
      entryPoints.add(text(operands, 2));
    } else if (operation == OP_EXECUTION_MODE && count >= 5 && operands.get(1) == MODE_LOCAL_SIZE) {
      groupSizes.add(
          new long[] {
            Integer.toUnsignedLong(operands.get(2)),
            Integer.toUnsignedLong(operands.get(3)),
            Integer.toUnsignedLong(operands.get(4))
          });
    } else if (operation == OP_DECORATE && count >= 3) {
      long value = Integer.toUnsignedLong(operands.get(2));
      if (operands.get(1) == DECORATION_BINDING) {
        mostBinding = Math.max(mostBinding, value);
      } else if (operands.get(1) == DECORATION_SET) {
        mostSet = Math.max(mostSet, value);
      }
    }
  }

  /** A text with zeros behind it, four bytes a word. */
  private static String text(IntBuffer words, int from) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int i = from * Integer.BYTES; i < words.limit() * Integer.BYTES; i++) {
      int character = (words.get(i / Integer.BYTES) >>> (i % Integer.BYTES * Byte.SIZE)) & 0xFF;
      if (character == 0) {
        break;
      }
      text.write(character);
    }
    return text.toString(UTF_8);
  }

  /**
   * Checks that a device can run it.
   *
   * @throws BackendException that names the kernel, the device and what is missing
   */
  void requireFits(DeviceContext context, String name, KernelInterface shape) {
    DeviceFacts facts = context.facts();
    String lacking =
        capabilities.stream()
            .filter(capability -> !Capabilities.has(facts, capability))
            .map(Capabilities::name)
            .collect(Collectors.joining(", "));
    if (!lacking.isEmpty()) {
      throw refused(
          context,
          name,
          "its shader needs what the device lacks: "
              + lacking
              + "\n  what to do: compile the program for the features of this device, which"
              + " 'relaxvm doctor' shows, or use another device");
    }
    if (!entryPoints.contains(shape.entryPoint())) {
      throw refused(
          context,
          name,
          "its shader has no entry point '"
              + shape.entryPoint()
              + "' for compute, only "
              + entryPoints);
    }
    int bindings = (shape.addressed() ? 0 : shape.buffers()) + (shape.uniform() ? 1 : 0);
    if (mostSet > 0 || mostBinding >= bindings) {
      throw refused(
          context,
          name,
          "its shader uses binding "
              + mostBinding
              + " and descriptor set "
              + mostSet
              + ", but it is given "
              + bindings
              + " bindings from 0 on in set 0");
    }
    for (long[] size : groupSizes) {
      GroupLimits.require(context, name, size);
    }
  }

  private static BackendException refused(DeviceContext context, String name, String fault) {
    return new BackendException(
        ErrorKind.VALUE, context.id() + " cannot run the kernel " + name + ": " + fault);
  }
}
