package org.relaxvm.rpc;

import java.lang.invoke.MethodHandles;
import java.util.List;
import org.relaxvm.api.TypeKey;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectTypeProvider;

/** A value type of a third party. */
public final class ScaleTypes implements ObjectTypeProvider {
  /** Multiplies an axis by a factor. */
  @TypeKey("acme.Scale")
  record Scale(long axis, double factor, Object next) {}

  @Override
  public List<ObjectDeclaration> types() {
    return List.of(ObjectDeclaration.ofRecord(MethodHandles.lookup(), Scale.class));
  }
}
