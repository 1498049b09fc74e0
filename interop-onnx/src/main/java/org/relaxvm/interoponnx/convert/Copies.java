package org.relaxvm.interoponnx.convert;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoponnx.convert.Branches.Branch;
import org.relaxvm.interoponnx.proto.NodeProto;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;

/**
 * Copies of the rest of a graph for both branches of a choice, where these give tensors of
 * different numbers of axes. In a copy the choice is decided. Not thread-safe.
 */
final class Copies {
  private final ModelContext model;
  private final GraphImporter importer;
  private final Map<String, Boolean> decided = new HashMap<>();
  private int count = 1;
  private int unresolved;

  Copies(ModelContext model, GraphImporter importer) {
    this.model = model;
    this.importer = importer;
  }

  /** The branch that a choice takes in the copy that is being translated. */
  Optional<Boolean> decision(String key) {
    return Optional.ofNullable(decided.get(key));
  }

  /** How many copies there are now. */
  int count() {
    return count;
  }

  /** Forgets copies that were made in vain. */
  void reset(int earlier) {
    count = earlier;
  }

  /** How often copies gave tensors of different numbers of axes so far. */
  int unresolved() {
    return unresolved;
  }

  /**
   * Translates nodes once for each branch of a choice.
   *
   * @param sorted nodes of a graph
   * @param first the one that is, or contains, the choice
   */
  List<Operand> ofRest(
      Split split, List<NodeProto> sorted, int first, List<String> wanted, Scope scope) {
    List<Operand> unavailable = Collections.nCopies(wanted.size(), new Operand.Unavailable());
    if (++count > model.options.maxCopies()) {
      importer.report(sorted.get(first), scope, tooMany(split));
      return unavailable;
    }
    String hint = "copy";
    Branch whenTrue =
        importer.branches.branch(() -> copy(split.key, true, sorted, first, wanted, scope), hint);
    Branch whenFalse =
        importer.branches.branch(() -> copy(split.key, false, sorted, first, wanted, scope), hint);
    if (!whenTrue.isAvailable() || !whenFalse.isAvailable()) {
      return unavailable;
    }
    List<ValueType> types = importer.branches.common(whenTrue, whenFalse);
    if (types.stream().anyMatch(ValueTypes::lacksRank)) {
      unresolved++;
    }
    return importer.branches.chosen(split.condition, whenTrue, whenFalse, types, hint);
  }

  private List<Operand> copy(
      String key,
      boolean decision,
      List<NodeProto> sorted,
      int first,
      List<String> wanted,
      Scope scope) {
    decided.put(key, decision);
    try {
      return importer.results(sorted, first, wanted, scope.copy());
    } finally {
      decided.remove(key);
    }
  }

  private InvalidProgramException tooMany(Split split) {
    List<String> symbols = model.symbols.namedSymbols();
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the branches of '"
            + split.label
            + "' give different numbers of axes, and what follows would be copied more than "
            + model.options.maxCopies()
            + " times"
            + "\n  what to do: bind the extents that decide it"
            + (symbols.isEmpty() ? "" : " (--bind " + String.join("=..., ", symbols) + "=...)")
            + ", or allow more copies");
  }
}
