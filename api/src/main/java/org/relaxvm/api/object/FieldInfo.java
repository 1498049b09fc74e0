package org.relaxvm.api.object;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a record component says of its field beyond name and type. */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface FieldInfo {
  /** In structural comparison. */
  FieldRole role() default FieldRole.COMPARED;

  /**
   * The value of an object that is loaded without one, as text; one element at most. For a
   * component that is neither a scalar, a data type nor a string, the text is {@code null}.
   */
  String[] defaultValue() default {};

  /** One sentence. */
  String doc() default "";
}
