package org.relaxvm.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The type key of a class whose objects are values of packed calls: what messages call its objects,
 * and by what other processes know them. A record with a key is an object type where an {@link
 * org.relaxvm.api.object.ObjectTypeProvider} declares it.
 *
 * <p>Rationale: docs/rationale/api.md, "Why is the type key of a class an annotation of the base
 * package?"
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface TypeKey {
  /** The key, such as {@code acme.Scale}. */
  String value();
}
