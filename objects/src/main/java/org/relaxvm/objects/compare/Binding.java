package org.relaxvm.objects.compare;

import org.relaxvm.api.object.FieldRole;

/** Whether variables that are met are defined there. */
enum Binding {
  /** They are not: each must be known. */
  OFF,
  /** They are, but not those within their own fields. */
  SHALLOW,
  /** They are. */
  ON;

  /** For the value of a field. */
  Binding within(FieldRole role) {
    return switch (role) {
      case DEFINITION -> ON;
      case SHALLOW_DEFINITION -> SHALLOW;
      case COMPARED, IGNORED -> this;
    };
  }

  /** For the fields of a variable. */
  Binding withinVariable() {
    return this == SHALLOW ? OFF : this;
  }
}
