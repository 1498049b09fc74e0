package org.relaxvm.backendvulkan.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.DeviceFacts;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.relaxvm.backendvulkan.kernels.SpirvModule;

/**
 * A shader in SPIR-V, as far as a device has to know it before its driver sees it: drivers trust
 * what they are given.
 *
 * <p>Source: SPIR-V specification 1.6, sections 2.3 and 3. Immutable.
 */
final class ShaderCode {
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
  private final List<long[]> workGroupSizes = new ArrayList<>();
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
   * @throws BackendException when it is none, with what {@link SpirvModule#of} says
   */
  static ShaderCode of(DeviceContext context, String name, byte[] bytes) {
    ShaderCode code = new ShaderCode(bytes);
    try {
      SpirvModule.of(bytes).instructions().forEach(code::read);
    } catch (InvalidProgramException e) {
      throw new BackendException(
          ErrorKind.VALUE,
          context.id() + " cannot take the shader of kernel " + name + ": " + e.getMessage(),
          e);
    }
    return code;
  }

  /** The shader as it was given. */
  byte[] bytes() {
    return bytes;
  }

  private void read(SpirvModule.Instruction instruction) {
    int count = instruction.operands();
    switch (instruction.opcode()) {
      case OP_CAPABILITY -> {
        if (count >= 1) {
          capabilities.add(instruction.operand(0));
        }
      }
      case OP_ENTRY_POINT -> {
        if (count >= 3 && instruction.operand(0) == EXECUTION_MODEL_COMPUTE) {
          entryPoints.add(instruction.text(2));
        }
      }
      case OP_EXECUTION_MODE -> {
        if (count >= 5 && instruction.operand(1) == MODE_LOCAL_SIZE) {
          workGroupSizes.add(
              new long[] {
                unsigned(instruction, 2), unsigned(instruction, 3), unsigned(instruction, 4)
              });
        }
      }
      case OP_DECORATE -> {
        if (count >= 3) {
          decorate(instruction.operand(1), unsigned(instruction, 2));
        }
      }
      default -> {}
    }
  }

  private static long unsigned(SpirvModule.Instruction instruction, int operand) {
    return Integer.toUnsignedLong(instruction.operand(operand));
  }

  private void decorate(int decoration, long value) {
    if (decoration == DECORATION_BINDING) {
      mostBinding = Math.max(mostBinding, value);
    } else if (decoration == DECORATION_SET) {
      mostSet = Math.max(mostSet, value);
    }
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
    for (long[] size : workGroupSizes) {
      WorkGroupLimits.require(context, name, size);
    }
  }

  private static BackendException refused(DeviceContext context, String name, String fault) {
    return new BackendException(
        ErrorKind.VALUE, context.id() + " cannot run the kernel " + name + ": " + fault);
  }
}
