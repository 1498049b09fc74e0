package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ArgKind;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.Opcode;

/**
 * What memory a function allocates for its intermediate tensors, by its instructions: those of
 * known size. Results are not counted, since they belong to the caller. Branches count as if they
 * ran one after the other.
 *
 * @param storages the number of allocations
 * @param tensors the number of tensors in them
 * @param unknown the number of allocations whose size only shows when the program runs
 * @param totalBytes all allocations together
 * @param peakBytes the largest sum of allocations at one instruction
 * @param liveBytes the largest sum of tensors that are still needed at one instruction: no plan has
 *     a smaller peak
 */
record MemoryPlan(
    int storages, int tensors, int unknown, long totalBytes, long peakBytes, long liveBytes) {

  /** The plan of a function in bytecode. */
  static MemoryPlan of(Executable executable, FunctionInfo function) {
    return new Reading(executable).run(function);
  }

  /** One line for each number. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (storages > 0) {
      lines.add(
          "%d tensors in %d allocations of %,d bytes".formatted(tensors, storages, totalBytes));
      lines.add(
          "peak %,d bytes; largest live set %,d bytes%s"
              .formatted(
                  peakBytes,
                  liveBytes,
                  liveBytes == 0 ? "" : " (%.2f times)".formatted(peakBytes / (double) liveBytes)));
    }
    if (unknown > 0) {
      lines.add(
          unknown
              + (unknown == 1 ? " allocation depends" : " allocations depend")
              + " on shapes that only the call says; not counted");
    }
    return lines;
  }

  /** The same as a JSON object. */
  Map<String, Object> json() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("tensors", tensors);
    object.put("allocations", storages);
    object.put("allocations_of_unknown_size", unknown);
    object.put("total_bytes", totalBytes);
    object.put("peak_bytes", peakBytes);
    object.put("largest_live_set_bytes", liveBytes);
    return object;
  }

  /** Memory or a tensor in it. */
  private static final class Block {
    final @Nullable Block storage;
    final long bytes;
    final int begin;
    int end;
    boolean escapes;

    Block(@Nullable Block storage, long bytes, int begin) {
      this.storage = storage;
      this.bytes = bytes;
      this.begin = begin;
      this.end = begin;
    }
  }

  /** Follows what lies in registers. */
  private static final class Reading {
    private final Executable executable;
    private final Map<Long, Set<Block>> registers = new HashMap<>();
    private final List<Block> storages = new ArrayList<>();
    private final List<Block> tensors = new ArrayList<>();
    private int unknown;

    Reading(Executable executable) {
      this.executable = executable;
    }

    MemoryPlan run(FunctionInfo function) {
      for (long i = function.startInstr(); i < function.endInstr(); i++) {
        read((int) i);
      }
      tensors.stream()
          .filter(tensor -> tensor.escapes && tensor.storage != null)
          .forEach(tensor -> tensor.storage.escapes = true);
      storages.removeIf(storage -> storage.escapes);
      tensors.removeIf(tensor -> tensor.storage == null || tensor.storage.escapes);
      return new MemoryPlan(
          storages.size(),
          tensors.size(),
          unknown,
          storages.stream().mapToLong(storage -> storage.bytes).sum(),
          peak(storages),
          peak(tensors));
    }

    private static long peak(List<Block> blocks) {
      long peak = 0;
      for (Block at : blocks) {
        long sum = 0;
        for (Block other : blocks) {
          sum += other.begin <= at.begin && at.begin <= other.end ? other.bytes : 0;
        }
        peak = Math.max(peak, sum);
      }
      return peak;
    }

    private void read(int instruction) {
      int at = Math.toIntExact(executable.offset(instruction));
      switch (Opcode.of(executable.word(at)).orElseThrow()) {
        case CALL -> call(at, instruction);
        case RET -> in(executable.word(at + 1)).forEach(block -> block.escapes = true);
        default -> {}
      }
    }

    private void call(int at, int instruction) {
      long dst = executable.word(at + 1);
      String name = executable.functions().get((int) executable.word(at + 2)).name();
      List<Arg> args = new ArrayList<>();
      for (int i = 0; i < executable.word(at + 3); i++) {
        args.add(Arg.ofWord(executable.word(at + 4 + i)));
      }
      Set<Block> used = new HashSet<>();
      args.forEach(arg -> used.addAll(in(arg)));
      switch (name) {
        case "vm.builtin.alloc_storage" -> define(dst, storage(args, instruction));
        case "vm.builtin.alloc_tensor" -> define(dst, tensor(args, instruction));
        case "vm.builtin.copy", "vm.builtin.reshape" -> registers.put(dst, used);
        case "vm.builtin.make_tuple", "vm.builtin.tuple_getitem" -> registers.put(dst, used);
        case "vm.builtin.make_adt", "vm.builtin.get_field" -> registers.put(dst, used);
        default -> registers.put(dst, Set.of());
      }
      if (!name.equals("vm.builtin.null_value")) {
        used.forEach(block -> touch(block, instruction));
      }
    }

    private static void touch(Block block, int instruction) {
      block.end = Math.max(block.end, instruction);
      if (block.storage != null) {
        block.storage.end = Math.max(block.storage.end, instruction);
      }
    }

    private void define(long register, @Nullable Block block) {
      registers.put(register, block == null ? Set.of() : Set.of(block));
    }

    private @Nullable Block storage(List<Arg> args, int instruction) {
      if (args.size() < 2 || !(constant(args.get(1)) instanceof Shape size) || size.rank() != 1) {
        unknown++;
        return null;
      }
      Block block = new Block(null, size.dim(0), instruction);
      storages.add(block);
      return block;
    }

    private @Nullable Block tensor(List<Arg> args, int instruction) {
      Block storage = args.isEmpty() ? null : in(args.getFirst()).stream().findFirst().orElse(null);
      if (storage == null
          || args.size() < 4
          || !(constant(args.get(2)) instanceof Shape shape)
          || !(constant(args.get(3)) instanceof DType dtype)) {
        return null;
      }
      Block block = new Block(storage, dtype.byteSize(shape.elementCount()), instruction);
      tensors.add(block);
      return block;
    }

    private @Nullable Object constant(Arg arg) {
      return arg.kind() == ArgKind.CONSTANT ? executable.constants().get((int) arg.value()) : null;
    }

    private Set<Block> in(Arg arg) {
      return arg.kind() == ArgKind.REGISTER ? in(arg.value()) : Set.of();
    }

    private Set<Block> in(long register) {
      return registers.getOrDefault(register, Set.of());
    }
  }
}
