package org.relaxvm.vmcore.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ArgKind;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.Opcode;

/**
 * What a program does with devices, by its instructions: where it allocates and what it copies to
 * other devices. Immutable.
 *
 * @param allocations in the order of the instructions
 * @param copies in the order of the instructions
 */
public record DeviceUse(List<Allocation> allocations, List<Copy> copies) {
  /** Stands for the host among the indices of devices. */
  public static final int HOST = -1;

  /** Copies the lists. */
  public DeviceUse {
    allocations = List.copyOf(allocations);
    copies = List.copyOf(copies);
  }

  /**
   * An allocation of storage.
   *
   * @param function the function that allocates
   * @param instruction the number of the instruction in the program
   * @param device the index of the device, or {@link #HOST}
   * @param scope the memory scope, such as {@code global}
   * @param byteSize -1 when only the call says it
   */
  public record Allocation(
      String function, long instruction, int device, String scope, long byteSize) {}

  /**
   * A copy by {@code to_device}.
   *
   * @param function the function that copies
   * @param instruction the number of the instruction in the program
   * @param from the index of the device that the copied tensor was made on, or {@link #HOST}; null
   *     when the instructions do not tell
   * @param typeCode DLPack's number for the kind of device that is copied to
   * @param ordinal its number among those of the kind
   * @param scope the memory scope, such as {@code global}
   */
  public record Copy(
      String function,
      long instruction,
      @Nullable Integer from,
      long typeCode,
      long ordinal,
      String scope) {
    /** Whether this is what the copy goes to. */
    public boolean isTo(DeviceId device) {
      return device.typeCode() == typeCode && device.ordinal() == ordinal;
    }
  }

  /** What the functions of a program do, one after the other. */
  public static DeviceUse of(Program program) {
    Reading reading = new Reading(program.executable());
    ProgramMetadata metadata = program.metadata();
    for (FunctionInfo function : program.executable().functions()) {
      if (function.kind() == FunctionKind.VM) {
        boolean isDescribed = function.name().equals(metadata.function());
        reading.read(function, isDescribed ? metadata.inputs() : List.of(), metadata.devices());
      }
    }
    return new DeviceUse(reading.allocations, reading.copies);
  }

  /** Follows on which device the values of registers were made. */
  private static final class Reading {
    final List<Allocation> allocations = new ArrayList<>();
    final List<Copy> copies = new ArrayList<>();
    private final Executable executable;
    private final Map<Long, Target> registers = new HashMap<>();

    /** A device by index or, where a copy made the value, by what that says. */
    private record Target(@Nullable Integer index, @Nullable Copy copy) {}

    Reading(Executable executable) {
      this.executable = executable;
    }

    void read(FunctionInfo function, List<TensorSpec> inputs, List<DeviceId> devices) {
      registers.clear();
      for (int i = 0; i < inputs.size(); i++) {
        int index = inputs.get(i).device().map(devices::indexOf).orElse(-1);
        if (index >= 0) {
          registers.put((long) i, new Target(index, null));
        }
      }
      for (long i = function.startInstr(); i < function.endInstr(); i++) {
        int at = Math.toIntExact(executable.offset((int) i));
        if (Opcode.of(executable.word(at)).orElseThrow() == Opcode.CALL) {
          call(function.name(), i, at);
        }
      }
    }

    private void call(String function, long instruction, int at) {
      long dst = executable.word(at + 1);
      List<Arg> args = new ArrayList<>();
      for (int i = 0; i < executable.word(at + 3); i++) {
        args.add(Arg.ofWord(executable.word(at + 4 + i)));
      }
      Target made =
          switch (executable.functions().get((int) executable.word(at + 2)).name()) {
            case "vm.builtin.alloc_storage" -> allocation(function, instruction, args);
            case "vm.builtin.to_device" -> copy(function, instruction, args);
            case "vm.builtin.alloc_tensor", "vm.builtin.copy", "vm.builtin.reshape" ->
                args.isEmpty() ? null : target(args.getFirst());
            default -> null;
          };
      if (made == null) {
        registers.remove(dst);
      } else {
        registers.put(dst, made);
      }
    }

    private @Nullable Target allocation(String function, long instruction, List<Arg> args) {
      if (args.size() != 5 || !(number(args.get(2)) instanceof Long device)) {
        return null;
      }
      long bytes =
          constant(args.get(1)) instanceof Shape size && size.rank() == 1 ? size.dim(0) : -1;
      int index = device.intValue();
      allocations.add(new Allocation(function, instruction, index, scope(args.get(4)), bytes));
      return new Target(index, null);
    }

    private @Nullable Target copy(String function, long instruction, List<Arg> args) {
      if (args.size() < 3
          || !(number(args.get(1)) instanceof Long typeCode)
          || !(number(args.get(2)) instanceof Long ordinal)) {
        return null;
      }
      String scope = args.size() > 3 ? scope(args.get(3)) : "global";
      Copy copy = new Copy(function, instruction, from(args.getFirst()), typeCode, ordinal, scope);
      copies.add(copy);
      return new Target(null, copy);
    }

    /** Constants lie on the first device. */
    private @Nullable Integer from(Arg tensor) {
      if (tensor.kind() == ArgKind.CONSTANT) {
        return 0;
      }
      Target target = target(tensor);
      return target == null ? null : target.index;
    }

    private @Nullable Target target(Arg arg) {
      return switch (arg.kind()) {
        case REGISTER -> registers.get(arg.value());
        case CONSTANT -> new Target(0, null);
        default -> null;
      };
    }

    private String scope(Arg arg) {
      return constant(arg) instanceof String text && !text.isEmpty() ? text : "global";
    }

    private @Nullable Long number(Arg arg) {
      if (arg.kind() == ArgKind.IMMEDIATE) {
        return arg.value();
      }
      return constant(arg) instanceof Long number ? number : null;
    }

    private @Nullable Object constant(Arg arg) {
      return arg.kind() == ArgKind.CONSTANT ? executable.constants().get((int) arg.value()) : null;
    }
  }
}
