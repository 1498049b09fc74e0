package org.relaxvm.machine.cpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.relaxvm.machine.memory.Code;
import org.relaxvm.machine.memory.CodeMemory;
import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Feature;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;

/**
 * An x86-64 processor, as the instruction CPUID describes it.
 *
 * @param vendor such as {@code GenuineIntel}
 * @param model the name of the model
 * @param features what the processor has and the operating system saves the registers of
 */
public record X64Processor(String vendor, String model, Set<Feature> features) {
  private static final boolean IS_WINDOWS = System.getProperty("os.name", "").startsWith("Windows");

  /** Copies the features. */
  public X64Processor {
    features =
        features.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(features));
  }

  /** Whether this JVM runs on x86-64. */
  public static boolean isCurrent() {
    return Set.of("amd64", "x86_64").contains(System.getProperty("os.arch", ""));
  }

  /**
   * The processor of this machine. Emits a function that executes CPUID, and calls it.
   *
   * @throws org.relaxvm.machine.memory.CodeMemoryException if the system refuses executable memory
   * @throws IllegalStateException if this is no x86-64 processor
   */
  public static X64Processor detect() {
    if (!isCurrent()) {
      throw new IllegalStateException(
          "the processor is no x86-64, but " + System.getProperty("os.arch"));
    }
    try (CodeMemory memory = new CodeMemory();
        Arena arena = Arena.ofConfined()) {
      Code code = memory.load(query());
      MethodHandle cpuid = code.handle(0, FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT, ADDRESS));
      return CpuidLeaves.read(
          (leaf, subleaf) -> {
            MemorySegment registers = arena.allocate(JAVA_INT, 5);
            try {
              cpuid.invokeExact(leaf, subleaf, registers);
            } catch (RuntimeException | Error e) {
              throw e;
            } catch (Throwable e) {
              throw new IllegalStateException("a downcall raises nothing", e);
            }
            return registers.toArray(JAVA_INT);
          });
    }
  }

  /** void query(int leaf, int subleaf, int[5]): eax, ebx, ecx, edx of CPUID; low XCR0. */
  private static byte[] query() {
    Assembler assembler = Assembler.of(Set.of());
    Gp leaf = IS_WINDOWS ? Gp.RCX : Gp.RDI;
    Gp subleaf = IS_WINDOWS ? Gp.RDX : Gp.RSI;
    Gp registers = IS_WINDOWS ? Gp.R8 : Gp.RDX;
    assembler.emit(Instruction.PUSH, Gp.RBX);
    assembler.emit(Instruction.MOV, Gp.R9, registers);
    assembler.emit(Instruction.MOV, Gp.R10.low32(), subleaf.low32());
    assembler.emit(Instruction.MOV, Gp.RAX.low32(), leaf.low32());
    assembler.emit(Instruction.MOV, Gp.RCX.low32(), Gp.R10.low32());
    assembler.emit(Instruction.CPUID);
    assembler.emit(Instruction.MOV, Address.of(Gp.R9, 0), Gp.RAX.low32());
    assembler.emit(Instruction.MOV, Address.of(Gp.R9, 4), Gp.RBX.low32());
    assembler.emit(Instruction.MOV, Address.of(Gp.R9, 8), Gp.RCX.low32());
    assembler.emit(Instruction.MOV, Address.of(Gp.R9, 12), Gp.RDX.low32());
    // XGETBV is there if leaf 1 says so; the caller reads its result only then.
    assembler.emit(Instruction.MOV, Gp.RAX.low32(), Immediate.of(1));
    assembler.emit(Instruction.CPUID);
    assembler.emit(Instruction.BT, Gp.RCX.low32(), Immediate.of(27));
    assembler.emit(Instruction.MOV, Gp.RAX.low32(), Immediate.of(0));
    Label end = assembler.label();
    assembler.jump(Condition.AE, end);
    assembler.emit(Instruction.XOR, Gp.RCX.low32(), Gp.RCX.low32());
    assembler.emit(Instruction.XGETBV);
    assembler.bind(end);
    assembler.emit(Instruction.MOV, Address.of(Gp.R9, 16), Gp.RAX.low32());
    assembler.emit(Instruction.POP, Gp.RBX);
    assembler.emit(Instruction.RET);
    return assembler.finish();
  }
}
