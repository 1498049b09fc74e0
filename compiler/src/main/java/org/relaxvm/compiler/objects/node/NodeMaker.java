package org.relaxvm.compiler.objects.node;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;

/** Makes the nodes of one module. Scalar types and operators are one node each. Not thread-safe. */
public final class NodeMaker {
  private final ObjectTypes types;
  private final Map<DType, ObjectNode> scalarTypes = new HashMap<>();
  private final Map<String, ObjectNode> operators = new HashMap<>();

  /** A maker of nodes of some types. */
  public NodeMaker(ObjectTypes types) {
    this.types = types;
  }

  /**
   * A node.
   *
   * @param key of its type
   * @param fields names and values in turn; the others have their defaults
   */
  public ObjectNode make(String key, @Nullable Object... fields) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      values.put((String) fields[i], fields[i + 1]);
    }
    return (ObjectNode) types.require(key).create(values);
  }

  /** The type of scalars of a dtype. */
  public ObjectNode scalarType(DType dtype) {
    return scalarTypes.computeIfAbsent(dtype, d -> make("ir.PrimType", "dtype", d));
  }

  /** An operator, such as {@code relax.add}. */
  public ObjectNode operator(String name) {
    return operators.computeIfAbsent(name, n -> make("ir.Op", "name", n));
  }
}
