package org.relaxvm.backendcpu.jit.run;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.backendcpu.invocation.Argument;
import org.relaxvm.backendcpu.invocation.CompiledKernel;
import org.relaxvm.machine.memory.CodeMemory;

/**
 * A kernel whose loops are machine code. The code is freed when neither a call nor anything else
 * refers to the kernel. Thread-safe.
 */
final class MachineKernel implements CompiledKernel {
  /** How many blocks are kept for later calls. */
  private static final int MOST_BLOCKS = 16;

  private final Outline.Result outline;
  private final List<Entry> entries;
  private final int byteSize;
  private final boolean needsMemory;
  private final AtomicReferenceArray<@Nullable MemorySegment> blocks =
      new AtomicReferenceArray<>(MOST_BLOCKS);

  MachineKernel(Outline.Result outline, List<Entry> entries) {
    this.outline = outline;
    this.entries = List.copyOf(entries);
    this.needsMemory =
        outline.allocations() > 0 || entries.stream().anyMatch(entry -> entry.scratchBytes() > 0);
    this.byteSize = outline.layout().byteSize();
  }

  @Override
  public List<String> functions() {
    return outline.functions();
  }

  /** How many allocations the steps have. */
  int allocations() {
    return outline.allocations();
  }

  /** Whether a call takes memory. */
  boolean needsMemory() {
    return needsMemory;
  }

  Entry entry(int number) {
    return entries.get(number);
  }

  @Override
  public @Nullable Object run(
      @Nullable VmContext context, List<Argument> buffers, long[] values, List<PackedFunc> called) {
    Tensor[] tensors = new Tensor[buffers.size()];
    try (Frame frame = new Frame(this, takeBlock(), context, called, tensors);
        NativeArguments arguments = new NativeArguments(frame)) {
      for (int i = 0; i < tensors.length; i++) {
        tensors[i] = arguments.add(buffers.get(i));
        frame.set(outline.buffers()[i], NativeArguments.address(tensors[i]));
      }
      for (int i = 0; i < values.length; i++) {
        frame.set(outline.variables()[i], values[i]);
      }
      linkSlots(frame.block());
      outline.body().run(frame);
      arguments.copyBack();
      return frame.result();
    } finally {
      Reference.reachabilityFence(buffers);
      Reference.reachabilityFence(this);
    }
  }

  /** Writes the addresses of words of a block into the block. */
  void linkSlots(MemorySegment block) {
    for (Outline.Slot slot : outline.slots()) {
      block.set(ValueLayout.JAVA_LONG, slot.address(), block.address() + slot.variable());
    }
  }

  /** A block that nobody else uses, whose content is undefined. */
  MemorySegment takeBlock() {
    for (int i = 0; i < MOST_BLOCKS; i++) {
      MemorySegment block = blocks.getPlain(i) == null ? null : blocks.getAndSet(i, null);
      if (block != null) {
        return block;
      }
    }
    return Arena.ofAuto().allocate(byteSize, CodeMemory.ALIGNMENT);
  }

  /** Keeps a block for later calls. */
  void giveBlock(MemorySegment block) {
    for (int i = 0; i < MOST_BLOCKS; i++) {
      if (blocks.getPlain(i) == null && blocks.compareAndSet(i, null, block)) {
        return;
      }
    }
  }
}
