package org.relaxvm.backendcpu.jit;

import java.util.EnumSet;
import java.util.Set;
import org.relaxvm.machine.cpu.X64Processor;
import org.relaxvm.machine.memory.CodeMemory;
import org.relaxvm.machine.x64.Feature;

/**
 * Whether this process can run machine code that it emits, and which instructions the processor
 * has. Immutable and thread-safe.
 *
 * @param features that code may use; empty where code cannot run
 * @param reason why code cannot run; empty if it can
 */
public record MachineCode(Set<Feature> features, String reason) {
  private static final class Current {
    static final MachineCode FOUND = find();

    private Current() {}
  }

  /** Made where code is loaded, since it calls the system. */
  private static final class Memory {
    static final CodeMemory SHARED = new CodeMemory();

    private Memory() {}
  }

  /** Copies the features. */
  public MachineCode {
    features = features.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(features));
  }

  /** What this process can do; found out by emitting a function and calling it. */
  public static MachineCode current() {
    return Current.FOUND;
  }

  /** Executable memory of the process. */
  public static CodeMemory memory() {
    return Memory.SHARED;
  }

  /** Whether code can run. */
  public boolean isAvailable() {
    return reason.isEmpty();
  }

  private static MachineCode find() {
    if (!X64Processor.isCurrent()) {
      return none("there is no emitter for the processor " + System.getProperty("os.arch"));
    }
    if (!CodeMemory.class.getModule().isNativeAccessEnabled()
        || !MachineCode.class.getModule().isNativeAccessEnabled()) {
      return none("native access is not enabled: start the JVM with --enable-native-access");
    }
    try {
      Set<Feature> features = X64Processor.detect().features();
      return features.containsAll(Feature.x86V3())
          ? new MachineCode(features, "")
          : none("the processor has no AVX2 with FMA");
    } catch (RuntimeException | LinkageError e) {
      return none(String.valueOf(e.getMessage()));
    }
  }

  private static MachineCode none(String reason) {
    return new MachineCode(Set.of(), reason);
  }
}
