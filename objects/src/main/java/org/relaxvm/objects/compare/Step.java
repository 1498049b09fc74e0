package org.relaxvm.objects.compare;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.api.object.Representation;

/** The steps of a path. Their text is made when a path is shown. */
sealed interface Step {
  /** Whether steps to elements or keys lead on from a value. */
  static boolean isContainer(Object value) {
    return value instanceof List
        || value instanceof Map
        || value instanceof ListObject
        || value instanceof DictObject;
  }

  /** To a field. */
  record OfField(String name) implements Step {
    @Override
    public String toString() {
      return "." + name;
    }
  }

  /** To an element of a list. */
  record OfElement(int index, boolean isMissing) implements Step {
    @Override
    public String toString() {
      return isMissing ? "[<missing:" + index + ">]" : "[" + index + "]";
    }
  }

  /** To the value of a key. */
  record OfKey(ObjectTypes types, @Nullable Object key, boolean isMissing) implements Step {
    @Override
    public String toString() {
      String text = text(key, types);
      return isMissing ? "[<missing:" + text + ">]" : "[" + text + "]";
    }

    static String text(@Nullable Object key, ObjectTypes types) {
      if (key instanceof ObjectNode node) {
        ObjectView view = ObjectView.of(node);
        if (node.type().isA("ir.Var")) {
          return String.valueOf(view.get("name"));
        }
        if (node.type().isA("ir.GlobalVar")) {
          return "I.GlobalVar(" + Representation.of(view.get("name_hint")) + ")";
        }
      }
      return Representation.of(key, types);
    }
  }
}
