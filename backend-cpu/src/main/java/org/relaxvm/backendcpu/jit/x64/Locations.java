package org.relaxvm.backendcpu.jit.x64;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.allocate.Allocation;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Mask;
import org.relaxvm.machine.x64.Vector;

/**
 * Where the operands of statements are, as machine operands, and the registers that instruction
 * sequences may use: rax, rdx, the last three vector registers, k0 and k7. The value of a spilled
 * register is read into one of these where an instruction takes no memory.
 *
 * <p>A sequence writes its result with its last instruction, or into a register that {@link
 * #workspace} returns, since the register of the result may be that of an operand.
 */
final class Locations {
  static final int SCRATCH_VECTORS = 3;
  static final Gp RAX = Gp.RAX;
  static final Gp RDX = Gp.RDX;
  static final Mask K7 = Mask.k(7);
  private static final int XMM_BITS = 128;

  private final Assembler assembler;
  private final X64Target target;
  private final Allocation allocation;
  private final Map<Reg, Const> constants;
  private final Map<Reg, Lir.Load> folded;
  private final ConstantPool pool;

  Locations(
      Assembler assembler,
      X64Target target,
      Allocation allocation,
      Map<Reg, Const> constants,
      Map<Reg, Lir.Load> folded) {
    this.assembler = assembler;
    this.target = target;
    this.allocation = allocation;
    this.constants = constants;
    this.folded = folded;
    pool = new ConstantPool(assembler, target.isWide());
  }

  /** Whether a general register is for instruction sequences. */
  static boolean isScratch(Gp register) {
    return register.number() == RAX.number() || register.number() == RDX.number();
  }

  Assembler assembler() {
    return assembler;
  }

  boolean isWide() {
    return target.isWide();
  }

  void emit(Instruction instruction, org.relaxvm.machine.x64.Operand... operands) {
    assembler.emit(instruction, operands);
  }

  void emitMasked(
      Instruction instruction,
      Mask mask,
      boolean isZeroing,
      org.relaxvm.machine.x64.Operand... operands) {
    assembler.emitMasked(instruction, mask, isZeroing, operands);
  }

  /** The bits of the part of a vector register that holds a type: 128, 256 or 512. */
  static int registerBits(Type type) {
    return Math.max(XMM_BITS, type.totalBits());
  }

  /** A vector register for intermediate values, 0 to 2. */
  Vector scratch(int index, int bits) {
    return new Vector(target.vectorRegisters() + index, bits);
  }

  Vector scratch(int index, Type type) {
    return scratch(index, registerBits(type));
  }

  private Address slot(Reg reg) {
    return Address.of(Gp.RSP, allocation.slot(reg));
  }

  /** The constant that a register always holds, the operand itself if it is constant, or null. */
  @Nullable Const constantOf(Operand operand) {
    return operand instanceof Const constant
        ? constant
        : operand instanceof Reg reg ? constants.get(reg) : null;
  }

  /** Whether an operand is in the machine register. */
  boolean isIn(Operand operand, Vector register) {
    return isInRegister(operand) && allocation.register((Reg) operand) == register.number();
  }

  /** Whether an operand is in some machine register. */
  boolean isInRegister(Operand operand) {
    return operand instanceof Reg reg && !folded.containsKey(reg) && !allocation.isSpilled(reg);
  }

  // Vectors.

  /** A register with the value of an operand, read into a scratch register if necessary. */
  Vector register(Operand operand, int scratch) {
    Vector to = scratch(scratch, operand.type());
    if (isInRegister(operand)) {
      return new Vector(allocation.register((Reg) operand), to.bits());
    }
    load(to, operand);
    return to;
  }

  /** Reads an operand into a register, also from another register. */
  void load(Vector to, Operand operand) {
    Const constant = isInRegister(operand) ? null : constantOf(operand);
    Lir.Load load = operand instanceof Reg reg ? folded.get(reg) : null;
    if (constant != null) {
      pool.load(to, constant);
    } else if (load != null) {
      load(to, load);
    } else if (operand instanceof Reg reg && allocation.isSpilled(reg)) {
      emit(Instruction.VMOVAPS, to, slot(reg));
    } else if (operand instanceof Reg reg) {
      move(to, new Vector(allocation.register(reg), to.bits()));
    } else {
      throw new IllegalArgumentException("no lanes: " + operand);
    }
  }

  /**
   * A register or memory with the value of an operand. A constant is memory of one element for all
   * lanes where instructions allow that, which those of 32 and 64-bit lanes have to.
   */
  org.relaxvm.machine.x64.Operand operand(Operand operand) {
    if (isInRegister(operand)) {
      return register(operand, 0);
    }
    Lir.Load load = operand instanceof Reg reg ? folded.get(reg) : null;
    if (load != null) {
      Address memory = memory(load.from());
      return isElement(load) ? memory.broadcast() : memory;
    }
    Const constant = constantOf(operand);
    return constant != null ? pool.memory(constant) : slot((Reg) operand);
  }

  /** Whether a load reads one element for several lanes. */
  private static boolean isElement(Lir.Load load) {
    return load.isSplat() && load.result().type().lanes() > 1;
  }

  /** Emits a folded load where an instruction does not take memory. */
  private void load(Vector to, Lir.Load load) {
    Type type = load.result().type();
    Address memory = memory(load.from());
    if (isElement(load)) {
      emit(ConstantPool.broadcast(type.bits(), to.bits()), to, memory);
    } else if (type.lanes() == 1) {
      emit(type.bits() == 32 ? Instruction.VMOVSS : Instruction.VMOVSD, to, memory);
    } else {
      emit(Instruction.VMOVUPS, to, memory);
    }
  }

  /** As {@link #operand}, but memory has all lanes. */
  org.relaxvm.machine.x64.Operand fullOperand(Operand operand) {
    if (isInRegister(operand)) {
      return register(operand, 0);
    }
    Const constant = constantOf(operand);
    return constant != null ? pool.full(constant) : slot((Reg) operand);
  }

  /** Memory of one element for all lanes. */
  Address element(Const constant) {
    return pool.element(constant);
  }

  /** The register that the last instruction of a sequence writes: that of the result, if any. */
  Vector target(Reg result) {
    return allocation.isSpilled(result)
        ? scratch(0, result.type())
        : new Vector(allocation.register(result), registerBits(result.type()));
  }

  /** As {@link #target}, but none of the registers that are still read. */
  Vector workspace(Reg result, Vector... stillRead) {
    Vector register = target(result);
    for (Vector read : stillRead) {
      if (read.number() == register.number()) {
        return scratch(0, result.type());
      }
    }
    return register;
  }

  /** Writes the result, which is in {@code value}. */
  void finish(Reg result, Vector value) {
    Vector low = value.low(registerBits(result.type()));
    if (allocation.isSpilled(result)) {
      emit(Instruction.VMOVAPS, slot(result), low);
    } else {
      move(target(result), low);
    }
  }

  void move(Vector to, Vector from) {
    if (to.number() != from.number()) {
      emit(Instruction.VMOVAPS, to, from.low(to.bits()));
    }
  }

  /** {@code result = instruction(a, b)}. */
  void binary(Instruction instruction, Reg result, Operand a, Operand b) {
    Vector to = target(result);
    emit(instruction, to, register(a, 0), operand(b));
    finish(result, to);
  }

  /** As {@link #binary}; constants and spilled registers become the second operand. */
  void commutative(Instruction instruction, Reg result, Operand a, Operand b) {
    if (isInRegister(b) && !isInRegister(a)) {
      binary(instruction, result, b, a);
    } else {
      binary(instruction, result, a, b);
    }
  }

  // Masks of AVX-512.

  Mask mask(Reg reg, Mask scratch) {
    if (allocation.isSpilled(reg)) {
      emit(Instruction.KMOVQ, scratch, slot(reg));
      return scratch;
    }
    return Mask.k(allocation.register(reg));
  }

  Mask targetMask(Reg result) {
    return allocation.isSpilled(result) ? K7 : Mask.k(allocation.register(result));
  }

  void finish(Reg result, Mask value) {
    if (allocation.isSpilled(result)) {
      emit(Instruction.KMOVQ, slot(result), value);
    } else if (value.number() != allocation.register(result)) {
      emit(Instruction.KMOVQ, targetMask(result), value);
    }
  }

  // Words.

  /** A register with a word, read into {@code scratch} if necessary. */
  Gp word(Operand operand, Gp scratch) {
    if (operand instanceof Reg reg) {
      if (!allocation.isSpilled(reg)) {
        return Gp.of(allocation.register(reg));
      }
      emit(Instruction.MOV, scratch, slot(reg));
    } else if (operand instanceof Imm(long value)) {
      constant(scratch, value);
    } else {
      throw new IllegalArgumentException("no word: " + operand);
    }
    return scratch;
  }

  /** Sets a register to a constant. Changes the flags. */
  void constant(Gp to, long value) {
    if (value == 0) {
      emit(Instruction.XOR, to.low32(), to.low32());
    } else if (value == (value & 0xFFFF_FFFFL)) {
      emit(Instruction.MOV, to.low32(), Immediate.of(value));
    } else {
      emit(Instruction.MOV, to, Immediate.of(value));
    }
  }

  /** A register, memory or an immediate of 32 bits; other constants are put into a register. */
  org.relaxvm.machine.x64.Operand wordOperand(Operand operand, Gp scratch) {
    if (operand instanceof Imm(long value) && value == (int) value) {
      return Immediate.of(value);
    }
    return operand instanceof Imm ? word(operand, scratch) : wordOrMemory((Reg) operand);
  }

  /** A register, or the memory of a spilled one. */
  org.relaxvm.machine.x64.Operand wordOrMemory(Reg reg) {
    return allocation.isSpilled(reg) ? slot(reg).ofBytes(8) : Gp.of(allocation.register(reg));
  }

  /** Memory with a constant word. */
  Address wordInPool(long value) {
    return pool.word(value);
  }

  Gp targetWord(Reg result, Gp scratch) {
    return allocation.isSpilled(result) ? scratch : Gp.of(allocation.register(result));
  }

  /** Writes a result, which is in {@code value}. Keeps the flags. */
  void finish(Reg result, Gp value) {
    if (allocation.isSpilled(result)) {
      emit(Instruction.MOV, slot(result), value);
    } else {
      moveWord(Gp.of(allocation.register(result)), value);
    }
  }

  /** Copies a word unless both registers are the same. */
  void moveWord(Gp to, Gp from) {
    if (to.number() != from.number()) {
      emit(Instruction.MOV, to, from);
    }
  }

  /** The memory of an address. Uses rax for what is spilled; rdx is free afterwards. */
  Address memory(Operand.Address address) {
    Gp base = word(address.base(), RAX);
    Reg indexRegister = address.index();
    if (indexRegister == null) {
      return Address.of(base, address.displacement());
    }
    boolean isBaseSpilled = base.number() == RAX.number();
    Gp index = word(indexRegister, isBaseSpilled ? RDX : RAX);
    Address memory = Address.of(base, index, address.scale(), address.displacement());
    if (isBaseSpilled && index.number() == RDX.number()) {
      emit(Instruction.LEA, RAX, memory);
      return Address.of(RAX, 0);
    }
    return memory;
  }
}
