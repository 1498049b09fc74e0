package org.relaxvm.compiler.op;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** The operators that a text may name, by name. Immutable. */
public final class OpRegistry {
  private final SequencedMap<String, OpDef> ops;

  private OpRegistry(SequencedMap<String, OpDef> ops) {
    this.ops = Collections.unmodifiableSequencedMap(ops);
  }

  /**
   * A registry of these operators.
   *
   * @throws InvalidProgramException when two have one name
   */
  public static OpRegistry of(Collection<OpDef> operators) {
    return new OpRegistry(new LinkedHashMap<>()).with(operators);
  }

  /** The same with more operators. */
  public OpRegistry with(Collection<OpDef> more) {
    SequencedMap<String, OpDef> all = new LinkedHashMap<>(ops);
    for (OpDef op : more) {
      if (all.putLast(op.name(), op) != null) {
        throw new InvalidProgramException(
            ErrorKind.VALUE, "there are two operators of the name " + op.name());
      }
    }
    return new OpRegistry(all);
  }

  /** The operator of a name without {@code relax.}; empty when there is none. */
  public Optional<OpDef> find(String name) {
    return Optional.ofNullable(ops.get(name));
  }

  /** All operators by name. */
  public Map<String, OpDef> all() {
    return ops;
  }
}
