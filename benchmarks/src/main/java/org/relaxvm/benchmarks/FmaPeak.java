package org.relaxvm.benchmarks;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import org.relaxvm.machine.cpu.X64Processor;
import org.relaxvm.machine.memory.CodeMemory;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Feature;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;
import org.relaxvm.machine.x64.Vector;

/**
 * The most float32 multiplications and additions that one core computes: a loop of fused
 * multiply-adds of registers that do not depend on each other.
 */
final class FmaPeak implements AutoCloseable {
  private static final int ITERATIONS = 10_000;
  private static final int SUMS = 12;
  private static final int FLOPS_OF_A_LANE = 2;

  private final CodeMemory memory = new CodeMemory();
  private final MethodHandle loop;
  private final int lanes;

  private FmaPeak(Set<Feature> features) {
    int bits = features.contains(Feature.AVX512F) ? 512 : 256;
    lanes = bits / Float.SIZE;
    loop = memory.load(code(features, bits)).handle(0, FunctionDescriptor.ofVoid());
  }

  /**
   * For the processor of this machine.
   *
   * @throws IllegalStateException if it is no x86-64 processor, or the system is Windows, where
   *     some of the registers belong to the caller
   */
  static FmaPeak ofThisMachine() {
    if (System.getProperty("os.name", "").startsWith("Windows")) {
      throw new IllegalStateException("the FMA peak is not measured on Windows");
    }
    return new FmaPeak(X64Processor.detect().features());
  }

  private static byte[] code(Set<Feature> features, int bits) {
    Assembler assembler = Assembler.of(features);
    for (int i = 0; i < SUMS; i++) {
      Vector low = Vector.xmm(i);
      assembler.emit(Instruction.VXORPS, low, low, low);
    }
    assembler.emit(Instruction.MOV, Gp.RAX.low32(), Immediate.of(ITERATIONS));
    Label again = assembler.label();
    assembler.bind(again);
    for (int i = 0; i < SUMS; i++) {
      Vector sum = new Vector(i, bits);
      assembler.emit(Instruction.VFMADD231PS, sum, sum, sum);
    }
    assembler.emit(Instruction.SUB, Gp.RAX, Immediate.of(1));
    assembler.jump(Condition.NE, again);
    assembler.emit(Instruction.VZEROUPPER);
    assembler.emit(Instruction.RET);
    return assembler.finish();
  }

  /** Floating-point operations of a call. */
  double flops() {
    return (double) ITERATIONS * SUMS * lanes * FLOPS_OF_A_LANE;
  }

  /** Runs the loop. */
  void run() {
    try {
      loop.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a downcall raises nothing", e);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
