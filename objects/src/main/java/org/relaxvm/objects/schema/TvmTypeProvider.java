package org.relaxvm.objects.schema;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectTypeProvider;

/** Declares the types of the newest release. */
public final class TvmTypeProvider implements ObjectTypeProvider {
  /** Creates the provider. */
  public TvmTypeProvider() {}

  @Override
  public List<ObjectDeclaration> types() {
    return TvmSchema.of(TvmRelease.newest()).types();
  }

  @Override
  public Map<String, Set<String>> names() {
    return TvmSchema.of(TvmRelease.newest()).names();
  }
}
