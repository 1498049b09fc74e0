package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.backendcpu.jit.x64.Instructions.byBits;
import static org.relaxvm.backendcpu.jit.x64.Locations.RAX;
import static org.relaxvm.backendcpu.jit.x64.Locations.RDX;
import static org.relaxvm.machine.x64.Instruction.*;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;
import org.relaxvm.machine.x64.Mask;
import org.relaxvm.machine.x64.Vector;

/** Reads and writes of memory. No byte is accessed that does not belong to an accessed element. */
final class MemoryOps {
  private final Locations at;
  private final Masks masks;
  private final Narrowing narrowing;
  private final Conversions conversions;

  MemoryOps(Locations at, Masks masks, Narrowing narrowing, Conversions conversions) {
    this.at = at;
    this.masks = masks;
    this.narrowing = narrowing;
    this.conversions = conversions;
  }

  // Loads.

  void load(Lir.Load load) {
    Type type = load.result().type();
    if (load.bits() > type.bits() || (type.isFloat() && load.bits() != type.bits())) {
      throw new IllegalArgumentException(
          "elements of %d bits cannot be read as %s; read integers and convert them"
              .formatted(load.bits(), type));
    }
    Address from = at.memory(load.from());
    if (type.isWord()) {
      Gp to = at.targetWord(load.result(), RAX);
      loadWord(to, from, load.bits(), load.isSigned());
      at.finish(load.result(), to);
      return;
    }
    Vector to = at.target(load.result());
    if (load.isSplat() && type.lanes() > 1) {
      if (load.mask() == null) {
        loadSplat(to, from, load);
      } else {
        to = loadMaskedSplat(to, from, load, load.mask());
      }
    } else if (load.bits() < type.bits()) {
      loadNarrow(to, from, load);
    } else {
      loadSame(to, from, type, load.mask());
    }
    at.finish(load.result(), to);
  }

  private void loadWord(Gp to, Address from, int bits, boolean isSigned) {
    switch (bits) {
      case 8 -> extend(isSigned, to, from.ofBytes(1));
      case 16 -> extend(isSigned, to, from.ofBytes(2));
      case 32 -> {
        if (isSigned) {
          at.emit(MOVSXD, to, from);
        } else {
          at.emit(MOV, to.low32(), from);
        }
      }
      default -> at.emit(MOV, to, from);
    }
  }

  private void extend(boolean isSigned, Gp to, Address from) {
    if (isSigned) {
      at.emit(MOVSX, to, from);
    } else {
      at.emit(MOVZX, to.low32(), from);
    }
  }

  private void loadSame(Vector to, Address from, Type type, @Nullable Reg mask) {
    if (mask == null) {
      loadBits(to, from, type.totalBits());
    } else if (at.isWide()) {
      at.emitMasked(moveMasked(type), masks.predicate(mask), true, to, from);
    } else {
      Vector where = masks.maskVector(mask, type.bits());
      at.emit(type.bits() == 32 ? VMASKMOVPS : VMASKMOVPD, to, where, from);
    }
  }

  /** Reads 8 bits or more; upper bits of 128 are undefined. */
  private void loadBits(Vector to, Address from, int bits) {
    switch (bits) {
      case 8, 16 -> {
        loadWord(RDX, from, bits, false);
        at.emit(VMOVD, to, RDX.low32());
      }
      case 32 -> at.emit(VMOVSS, to, from);
      case 64 -> at.emit(VMOVSD, to, from);
      default -> at.emit(VMOVUPS, to, from);
    }
  }

  /** The move that masks select lanes of. */
  private static Instruction moveMasked(Type type) {
    return byBits(type.bits(), VMOVDQU8, VMOVDQU16, VMOVUPS, VMOVUPD);
  }

  private void loadNarrow(Vector to, Address from, Lir.Load load) {
    Type type = load.result().type();
    Reg mask = load.mask();
    Instruction extend = Instructions.extend(load.bits(), type.bits(), load.isSigned());
    int memoryBits = load.bits() * type.lanes();
    if (mask != null && at.isWide()) {
      at.emitMasked(extend, masks.predicate(mask), true, to, from);
    } else if (mask != null) {
      Vector where = masks.maskVector(mask, load.bits());
      Vector narrow = at.scratch(0, Math.max(128, memoryBits));
      at.emit(VPMASKMOVD, narrow, where.low(narrow.bits()), from);
      at.emit(extend, to, narrow);
    } else if (type.totalBits() >= 128) {
      at.emit(extend, to, from);
    } else {
      loadBits(to, from, memoryBits);
      at.emit(extend, to, to);
    }
  }

  private void loadSplat(Vector to, Address from, Lir.Load load) {
    int bits = load.result().type().bits();
    if (load.bits() == bits) {
      at.emit(ConstantPool.broadcast(bits, to.bits()), to, from);
    } else {
      loadWord(RDX, from, load.bits(), load.isSigned());
      conversions.splatWord(to, RDX, bits);
    }
  }

  /** Returns the register of the lanes, which is not read if no lane is. */
  private Vector loadMaskedSplat(Vector target, Address from, Lir.Load load, Reg mask) {
    Type type = load.result().type();
    if (at.isWide() && load.bits() == type.bits()) {
      at.emitMasked(
          ConstantPool.broadcast(type.bits(), target.bits()),
          masks.predicate(mask),
          true,
          target,
          from);
      return target;
    }
    Vector to = at.scratch(0, type);
    Label end = at.assembler().label();
    at.emit(to.number() < 16 ? VPXOR : VPXORD, to.low(128), to.low(128), to.low(128));
    if (at.isWide()) {
      Mask where = masks.canonicalPredicate(mask);
      at.emit(KORTESTQ, where, where);
      at.assembler().jump(Condition.E, end);
      loadSplat(to, from, load);
      at.emitMasked(moveMasked(type), where, true, to, to);
    } else {
      Vector where = masks.maskVector(mask, type.bits());
      at.emit(VPTEST, where, where);
      at.assembler().jump(Condition.E, end);
      loadSplat(to, from, load);
      at.emit(VPAND, to, to, where);
    }
    at.assembler().bind(end);
    return to;
  }

  // Stores.

  void store(Lir.Store store) {
    Type type = store.value().type();
    if (store.bits() > type.bits() || (type.isFloat() && store.bits() != type.bits())) {
      throw new IllegalArgumentException(
          "%s cannot be written as elements of %d bits; convert it to integers"
              .formatted(type, store.bits()));
    }
    Address to = at.memory(store.to());
    if (type.isWord()) {
      storeWord(to, store.value(), store.bits());
    } else if (store.bits() < type.bits()) {
      storeNarrow(to, store);
    } else {
      storeSame(to, at.register(store.value(), 0), type, store.mask());
    }
  }

  private void storeWord(Address to, Operand value, int bits) {
    boolean isImmediate =
        bits >= 32
            && value instanceof Imm(long constant)
            && (constant == (int) constant || bits == 32);
    if (isImmediate) {
      long constant = ((Imm) value).value();
      at.emit(MOV, to.ofBytes(bits / 8), Immediate.of(bits == 32 ? (int) constant : constant));
    } else {
      at.emit(MOV, to, at.word(value, RDX).low(bits));
    }
  }

  private void storeSame(Address to, Vector value, Type type, @Nullable Reg mask) {
    if (mask == null) {
      storeBits(to, value, type.totalBits());
    } else if (at.isWide()) {
      at.emitMasked(moveMasked(type), masks.predicate(mask), false, to, value);
    } else {
      Vector where = masks.maskVector(mask, type.bits());
      at.emit(type.bits() == 32 ? VMASKMOVPS : VMASKMOVPD, to, where, value);
    }
  }

  private void storeBits(Address to, Vector value, int bits) {
    switch (bits) {
      case 8 -> at.emit(VPEXTRB, to, value, Immediate.of(0));
      case 16 -> at.emit(VPEXTRW, to, value, Immediate.of(0));
      case 32 -> at.emit(VMOVSS, to, value);
      case 64 -> at.emit(VMOVSD, to, value);
      default -> at.emit(VMOVUPS, to, value);
    }
  }

  private void storeNarrow(Address to, Lir.Store store) {
    Type type = store.value().type();
    Reg mask = store.mask();
    Vector value = at.register(store.value(), 0);
    if (at.isWide() && mask != null) {
      at.emitMasked(
          Instructions.truncate(type.bits(), store.bits()),
          masks.predicate(mask),
          false,
          to,
          value);
    } else if (at.isWide() && type.totalBits() >= 128) {
      at.emit(Instructions.truncate(type.bits(), store.bits()), to, value);
    } else {
      int memoryBits = store.bits() * type.lanes();
      Vector narrow = at.scratch(0, Math.max(128, memoryBits));
      narrowing.narrow(narrow, value, type, store.bits());
      if (mask == null) {
        storeBits(to, narrow, memoryBits);
      } else {
        Vector where = masks.maskVector(mask, store.bits());
        at.emit(VPMASKMOVD, to, where.low(narrow.bits()), narrow);
      }
    }
  }

  // Gathers.

  /**
   * Reads into a scratch register, as the instructions change the mask and need three registers.
   */
  void gather(Lir.Gather gather) {
    Type type = gather.result().type();
    Type indexType = gather.index().type();
    Gp base = at.word(gather.base(), RAX);
    Vector index = at.register(gather.index(), 2);
    Vector to = at.scratch(0, type);
    Instruction instruction = instruction(type.bits(), indexType.bits());
    Address from = Address.of(base, index, gather.scale(), gather.displacement());
    Reg mask = gather.mask();
    if (at.isWide()) {
      Mask where;
      if (mask == null) {
        where = masks.allLanes(type.lanes());
      } else {
        Mask lanes = masks.predicate(mask);
        if (lanes.number() != Locations.K7.number()) {
          at.emit(KMOVQ, Locations.K7, lanes);
        }
        where = Locations.K7;
      }
      at.emit(VPXORD, to.low(128), to.low(128), to.low(128));
      at.emitMasked(instruction, where, false, to, from);
    } else {
      Vector all = mask == null ? masks.allLanesVector(type) : masks.maskVector(mask, type.bits());
      Vector where = at.scratch(1, type);
      at.move(where, all);
      at.emit(VPXOR, to, to, to);
      at.emit(instruction, to, from, where);
    }
    at.finish(gather.result(), to);
  }

  private static Instruction instruction(int bits, int indexBits) {
    if (bits == 32) {
      return indexBits == 32 ? VGATHERDPS : VGATHERQPS;
    }
    return indexBits == 32 ? VGATHERDPD : VGATHERQPD;
  }
}
