package org.relaxvm.backendcpu.codegen;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.backendcpu.codegen.emit.ClassEmitter;

/**
 * The classes of a kernel: one for native memory, and one, made when it is needed, for mapped files
 * too. They are unloaded with the last reference to this. Thread-safe.
 */
final class CompiledCode {
  /** Makes the class for native memory, or for any. */
  @FunctionalInterface
  interface Generator {
    ClassEmitter.Generated generate(boolean onlyNative);
  }

  private final Generator generator;
  private final ClassEmitter.Generated generated;
  private final KernelCode nativeCode;
  private volatile @Nullable KernelCode anyCode;

  CompiledCode(Generator generator) {
    this.generator = generator;
    this.generated = generator.generate(true);
    this.nativeCode = load(generated.bytes());
  }

  /** The names of the functions that the code calls. */
  List<String> functions() {
    return generated.functions();
  }

  /** The class file for native memory. */
  byte[] bytes() {
    return generated.bytes().clone();
  }

  KernelFrame frame(@Nullable VmContext context, List<PackedFunc> functions) {
    return new KernelFrame(context, generated.buffers(), generated.variables(), functions);
  }

  /** The code for the memory of a frame. */
  KernelCode code(KernelFrame frame) {
    KernelCode code = nativeCode;
    if (!frame.isNative()) {
      KernelCode known = anyCode;
      if (known == null) {
        known = load(generator.generate(false).bytes());
        anyCode = known;
      }
      code = known;
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
