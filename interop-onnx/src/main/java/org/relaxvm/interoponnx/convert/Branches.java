package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;

/** Choices between the values of two branches. Not thread-safe. */
final class Branches {
  private final ModelContext model;
  private final GraphImporter importer;

  Branches(ModelContext model, GraphImporter importer) {
    this.model = model;
    this.importer = importer;
  }

  /**
   * A branch that was translated.
   *
   * @param types of its results, in terms of the symbols inside it; none when one is unavailable
   */
  record Branch(SeqExpr body, List<ValueType> types) {
    boolean isAvailable() {
      return !types.isEmpty();
    }
  }

  /**
   * Translates a branch in a sequence of its own.
   *
   * @param results emits bindings and gives the results
   */
  Branch branch(Supplier<List<Operand>> results, String hint) {
    List<ValueType> types = new ArrayList<>();
    SeqExpr body = sequence(() -> joined(results.get(), types, hint));
    return new Branch(body, types);
  }

  /** Emits bindings into a sequence of its own, which ends also when that fails. */
  SeqExpr sequence(Supplier<Expr> body) {
    BlockBuilder builder = model.builder;
    builder.beginSequence();
    builder.beginBlock(false);
    Expr value;
    try {
      value = body.get();
    } catch (RuntimeException e) {
      builder.endBlock();
      builder.endSequence(Tuple.EMPTY);
      throw e;
    }
    builder.endBlock();
    return builder.endSequence(value);
  }

  /** One value of all operands, whose types are noted if all are available. */
  private Expr joined(List<Operand> operands, List<ValueType> types, String hint) {
    if (operands.stream().anyMatch(Operand.Unavailable.class::isInstance)) {
      return Tuple.EMPTY;
    }
    List<Expr> values = operands.stream().map(each -> importer.values.packed(each, hint)).toList();
    operands.forEach(operand -> types.add(importer.values.typeOf(operand)));
    return values.size() == 1 ? values.getFirst() : new Tuple(values);
  }

  /** What the results of two branches have in common, in terms of symbols outside of them. */
  List<ValueType> common(Branch a, Branch b) {
    ValueTypes types = model.valueTypes();
    List<ValueType> common = new ArrayList<>();
    for (int i = 0; i < a.types().size(); i++) {
      common.add(types.join(a.types().get(i), b.types().get(i)));
    }
    return common;
  }

  /** The results of the branch that a condition chooses. */
  List<Operand> chosen(
      Expr condition, Branch whenTrue, Branch whenFalse, List<ValueType> types, String hint) {
    RelaxVar value = model.builder.emit(If.of(condition, whenTrue.body(), whenFalse.body()), hint);
    return unpacked(value, types, hint);
  }

  /** The operands of a value that is their tuple, or the one itself. */
  List<Operand> unpacked(Expr value, List<ValueType> types, String hint) {
    if (types.size() == 1) {
      return List.of(importer.values.unpacked(value, types.getFirst(), hint));
    }
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Expr field = model.builder.emit(new TupleGetItem(value, i), hint);
      operands.add(importer.values.unpacked(field, types.get(i), hint));
    }
    return operands;
  }
}
