package org.relaxvm.backendcpu.codegen;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.backendcpu.codegen.emit.ClassEmitter;
import org.relaxvm.backendcpu.invocation.Argument;
import org.relaxvm.backendcpu.invocation.CompiledKernel;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.backendcpu.vector.ProcessMemory;

/**
 * The classes of a kernel: one for each kind of memory, made when it is needed. They are unloaded
 * with the last reference to this. Thread-safe.
 */
final class CompiledCode implements CompiledKernel {
  /** The kind of memory that most tensors have. */
  private static final MemoryKind USUAL =
      ProcessMemory.isOpen() ? MemoryKind.PINNED : MemoryKind.NATIVE;

  /** Makes the class for a kind of memory. */
  @FunctionalInterface
  interface Generator {
    ClassEmitter.Generated generate(MemoryKind memory);
  }

  private final Generator generator;
  private final ClassEmitter.Generated generated;
  private final AtomicReferenceArray<@Nullable KernelCode> codes =
      new AtomicReferenceArray<>(MemoryKind.values().length);

  CompiledCode(Generator generator) {
    this.generator = generator;
    this.generated = generator.generate(USUAL);
    codes.set(USUAL.ordinal(), load(generated.bytes()));
  }

  @Override
  public List<String> functions() {
    return generated.functions();
  }

  /** The class file for the memory that most tensors have. */
  byte[] bytes() {
    return generated.bytes().clone();
  }

  @Override
  public @Nullable Object run(
      @Nullable VmContext context, List<Argument> buffers, long[] values, List<PackedFunc> called) {
    try (KernelFrame frame = frame(context, called)) {
      for (int i = 0; i < buffers.size(); i++) {
        frame.setTensor(i, buffers.get(i).tensor(), buffers.get(i).writes());
      }
      for (int i = 0; i < values.length; i++) {
        frame.setValue(i, values[i]);
      }
      code(frame).run(frame);
      return frame.result();
    }
  }

  KernelFrame frame(@Nullable VmContext context, List<PackedFunc> functions) {
    return new KernelFrame(context, generated.buffers(), generated.variables(), functions);
  }

  /** The code for the memory of a frame. */
  KernelCode code(KernelFrame frame) {
    MemoryKind memory = frame.kind();
    KernelCode code = codes.get(memory.ordinal());
    if (code == null) {
      code = load(generator.generate(memory).bytes());
      codes.set(memory.ordinal(), code);
    }
    frame.setCode(code);
    return code;
  }

  private static KernelCode load(byte[] bytes) {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
      return (KernelCode) lookup.lookupClass().getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("generated code cannot be loaded: " + e.getMessage(), e);
    }
  }
}
