package org.relaxvm.compiler.builder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.tir.expr.Var;

/** A function that is being built: a stack of sequences, the outermost of which is its body. */
final class FunctionFrame {
  final String name;
  final NameSupply names;
  private final Deque<Sequence> sequences = new ArrayDeque<>();

  /**
   * A frame with an empty body.
   *
   * @param outer the function around it, whose variables are seen in this one
   */
  FunctionFrame(String name, @Nullable FunctionFrame outer) {
    this.name = name;
    this.names = outer == null ? new NameSupply() : outer.names;
    sequences.push(new Sequence(outer == null ? null : outer.sequence()));
  }

  /** What is bound in a body or branch, and what is known there. */
  static final class Sequence {
    final Set<Var> symbols;
    final Set<RelaxVar> vars;
    private final List<Block> finished = new ArrayList<>();
    private final Deque<Block> open = new ArrayDeque<>();

    private Sequence(@Nullable Sequence outer) {
      symbols = outer == null ? new HashSet<>() : new HashSet<>(outer.symbols);
      vars = outer == null ? new HashSet<>() : new HashSet<>(outer.vars);
    }

    void beginBlock(boolean isDataflow) {
      Block outer = open.peek();
      if (outer != null) {
        if (outer.isDataflow && !isDataflow) {
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "bindings that may have effects or choices cannot be part of a dataflow block; end it"
                  + " first");
        }
        flush(outer);
      }
      open.push(new Block(isDataflow));
    }

    void endBlock() {
      Block block = required(open.peek());
      open.pop();
      flush(block);
    }

    /** An empty block vanishes; one like the block in front of it joins that. */
    private void flush(Block block) {
      if (block.bindings.isEmpty()) {
        return;
      }
      if (finished.isEmpty() || finished.getLast().isDataflow != block.isDataflow) {
        finished.add(new Block(block.isDataflow));
      }
      finished.getLast().bindings.addAll(block.bindings);
      block.bindings.clear();
    }
  }

  /** A block that is being built. */
  static final class Block {
    final boolean isDataflow;
    final List<Binding> bindings = new ArrayList<>();

    /** By identity: what a part that is no leaf is bound to. */
    final Map<Expr, RelaxVar> emitted = new IdentityHashMap<>();

    Block(boolean isDataflow) {
      this.isDataflow = isDataflow;
    }
  }

  void beginSequence() {
    sequences.push(new Sequence(sequence()));
  }

  /** The blocks of the innermost sequence, which ends. */
  List<BindingBlock> endSequence() {
    if (!sequence().open.isEmpty()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "a block was begun and not ended; end it in front of the result");
    }
    return sequences.pop().finished.stream()
        .map(block -> new BindingBlock(block.bindings, block.isDataflow))
        .toList();
  }

  Sequence sequence() {
    return required(sequences.peek());
  }

  Block block() {
    return required(sequence().open.peek());
  }

  static <T> T required(@Nullable T value) {
    if (value == null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "a binding is emitted into a block of a function; begin a function and a block first");
    }
    return value;
  }
}
