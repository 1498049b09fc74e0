package org.relaxvm.api.object;

/** How a field takes part in structural comparison and hashing. */
public enum FieldRole {
  /** It is compared. */
  COMPARED,
  /** It makes no difference, such as a source location. */
  IGNORED,
  /** It defines variables; those met within their own fields, too. */
  DEFINITION,
  /** It defines variables, but not those met within their own fields. */
  SHALLOW_DEFINITION
}
