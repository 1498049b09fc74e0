package org.relaxvm.backendcpu.jit.build;

import java.util.List;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Square tiles of a transpose in vector registers. Interleaving the rows of a group, once for each
 * factor of 2 in 128 bits, transposes within blocks of 128 bits; then blocks are exchanged between
 * groups. Each row is read and written once, as rows of a power of two share a set of the cache.
 */
final class TransposedTile {
  private static final int BLOCK_BITS = 128;

  /** Rows of a square where there are registers for them, and for as many others. */
  private static final int MANY = 16;

  private static final long LARGEST_STEP = 1 << 20;

  private final Emission emission;
  private final LirWriter writer;
  private final Node.Transpose tile;
  private final int bits;
  private final int size;
  private final int block;

  TransposedTile(Emission emission, Node.Transpose tile) {
    this.emission = emission;
    this.writer = emission.writer;
    this.tile = tile;
    bits = tile.from().dtype().elementByteSize() * 8;
    int most = emission.target.vectorRegisters() >= 2 * MANY ? MANY : MANY / 2;
    size = Math.max(BLOCK_BITS / bits, Math.min(emission.target.vectorBits() / bits, most));
    block = BLOCK_BITS / bits;
  }

  /** The rows and columns of a square. */
  int size() {
    return size;
  }

  /** The largest multiple of the size that is not more than an extent. */
  PrimExpr whole(PrimExpr extent) {
    return extent instanceof IntImm known
        ? IntImm.of(known.value() / size * size)
        : Exprs.mul(Exprs.floorDiv(extent, size), size);
  }

  /** The element that is read for a row and column. */
  static PrimExpr from(Node.Transpose tile, PrimExpr row, PrimExpr column) {
    return Exprs.add(Exprs.add(tile.fromPlace(), row), Exprs.mul(column, tile.fromStep()));
  }

  /** The element that is written for a row and column. */
  static PrimExpr to(Node.Transpose tile, PrimExpr row, PrimExpr column) {
    return Exprs.add(Exprs.add(tile.toPlace(), column), Exprs.mul(row, tile.toStep()));
  }

  /** Writes the square whose first row and column are given. */
  void write(Words words, PrimExpr row, PrimExpr column) {
    Address[] sources = rows(words, tile.from(), from(tile, row, column), tile.fromStep());
    Address[] targets = rows(words, tile.to(), to(tile, row, column), tile.toStep());
    Type type = Type.ints(bits, size);
    Reg[][] groups = new Reg[size / block][];
    for (int group = 0; group < groups.length; group++) {
      Reg[] rows = new Reg[block];
      for (int i = 0; i < block; i++) {
        Address source = sources[group * block + i];
        rows[i] = writer.load(type, source, bits, false, false, null);
      }
      for (int stage = 1; stage < block; stage *= 2) {
        rows = interleaved(rows);
      }
      groups[group] = rows;
    }
    for (int i = 0; i < block; i++) {
      Reg[] rows = new Reg[groups.length];
      for (int group = 0; group < groups.length; group++) {
        rows[group] = groups[group][i];
      }
      for (int stage = 1; stage < groups.length; stage *= 2) {
        rows = exchanged(rows);
      }
      for (int group = 0; group < groups.length; group++) {
        writer.store(targets[group * block + i], rows[group], bits, null);
      }
    }
  }

  /** Addresses of rows: a register for each fourth, and one and three steps. */
  private Address[] rows(Words words, Buffer buffer, PrimExpr first, PrimExpr step) {
    int bytes = bits / 8;
    Address[] rows = new Address[size];
    Address start = emission.address(words, buffer, first);
    if (step instanceof IntImm known && Math.abs(known.value()) < LARGEST_STEP) {
      for (int i = 0; i < size; i++) {
        rows[i] = start.plus((int) (i * known.value() * bytes));
      }
      return rows;
    }
    Reg one = words.inRegister(Exprs.mul(step, bytes));
    Reg three = words.inRegister(Exprs.mul(step, 3L * bytes));
    Operand four = words.of(Exprs.mul(step, 4L * bytes));
    Reg base = start.base();
    Reg index = start.index();
    if (index != null) {
      Operand offset = writer.multiplyWords(index, new Imm(start.scale()));
      base = writer.inRegister(writer.addWords(base, offset));
    }
    for (int i = 0; i < size; i += 4) {
      if (i > 0) {
        base = writer.op(Op.ADD, base, four);
      }
      for (int j = 0; j < 4 && i + j < size; j++) {
        Reg steps = j == 0 ? null : j == 3 ? three : one;
        rows[i + j] = new Address(base, steps, j == 2 ? 2 : 1, start.displacement());
      }
    }
    return rows;
  }

  /** Collects blocks with one number of all rows. */
  private Reg[] exchanged(Reg[] rows) {
    Reg[] result = new Reg[rows.length];
    int half = rows.length / 2;
    for (int i = 0; i < half; i++) {
      result[i] = writer.op(Op.EVEN_BLOCKS, rows[2 * i], rows[2 * i + 1]);
      result[half + i] = writer.op(Op.ODD_BLOCKS, rows[2 * i], rows[2 * i + 1]);
    }
    return result;
  }

  /** Interleaves rows, the first half of them with the second half. */
  private Reg[] interleaved(Reg[] rows) {
    Reg[] result = new Reg[rows.length];
    int half = rows.length / 2;
    for (int i = 0; i < half; i++) {
      result[2 * i] = writer.op(Op.INTERLEAVE_LOW, rows[i], rows[i + half]);
      result[2 * i + 1] = writer.op(Op.INTERLEAVE_HIGH, rows[i], rows[i + half]);
    }
    return result;
  }

  /** A part of a copied tile as loops. */
  static Node loops(
      Node.Transpose tile,
      PrimExpr firstRow,
      PrimExpr rows,
      PrimExpr firstColumn,
      PrimExpr columns) {
    Var row = Var.index("row");
    Var column = Var.index("column");
    Node store =
        new Node.Store(
            tile.to(),
            to(tile, row, column),
            new BufferLoad(tile.from(), List.of(from(tile, row, column))),
            List.of());
    return new Node.Loop(
        row,
        firstRow,
        rows,
        Node.Mode.SERIAL,
        1,
        new Node.Loop(column, firstColumn, columns, Node.Mode.VECTOR, 1, store));
  }
}
