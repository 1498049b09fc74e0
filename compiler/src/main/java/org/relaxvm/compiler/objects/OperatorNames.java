package org.relaxvm.compiler.objects;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectTypeProvider;
import org.relaxvm.compiler.dsl.StandardOps;

/** Makes operators that Apache TVM does not have known to graphs. */
public final class OperatorNames implements ObjectTypeProvider {
  /** Called by {@link java.util.ServiceLoader}. */
  public OperatorNames() {}

  @Override
  public List<ObjectDeclaration> types() {
    return List.of();
  }

  @Override
  public Map<String, Set<String>> names() {
    return Map.of(
        "ir.Op",
        StandardOps.registry().all().values().stream()
            .filter(AttributeTable::isOwn)
            .map(op -> AttributeTable.NAMESPACE + op.name())
            .collect(Collectors.toUnmodifiableSet()));
  }
}
