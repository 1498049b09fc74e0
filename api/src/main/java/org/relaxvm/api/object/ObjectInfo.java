package org.relaxvm.api.object;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** More about an object type than its key, see {@link ObjectDeclaration#ofRecord}. */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ObjectInfo {
  /** The key of the parent; the first components of the record are its fields, in order. */
  String parent() default ObjectDeclaration.OBJECT;

  /** How objects are compared. */
  ComparisonKind comparison() default ComparisonKind.TREE;

  /** One sentence. */
  String doc() default "";
}
