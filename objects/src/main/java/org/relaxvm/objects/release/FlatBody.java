package org.relaxvm.objects.release;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;

/**
 * Sequences of statements from nested ones. Up to 0.23 a statement that defines something contains
 * those after it; since 0.24 they follow it. Not thread-safe.
 */
final class FlatBody {
  private static final Set<String> NESTED =
      Set.of("tir.LetStmt", "tir.Allocate", "tir.DeclBuffer", "tir.AssertStmt");

  /** Conditions that hold. */
  private static final Set<Object> ALWAYS = Set.of(true, 1L);

  private static final String SEQ = "seq";
  private static final String BODY = "body";

  private final Rewriting upgrade;
  private final Memory memory;

  FlatBody(Rewriting upgrade, Memory memory) {
    this.upgrade = upgrade;
    this.memory = memory;
  }

  /**
   * Steps from the first statement, whose text is made when it is shown.
   *
   * @param before null for the first step
   * @param last the name of a field, or the number of an element
   */
  private record Trail(@Nullable Trail before, Object last) {
    @Override
    public String toString() {
      Deque<String> steps = new ArrayDeque<>();
      for (@Nullable Trail at = this; at != null; at = at.before) {
        steps.addFirst(at.last instanceof Integer index ? "[" + index + "]" : "." + at.last);
      }
      return String.join("", steps).substring(1);
    }
  }

  /**
   * What becomes one statement of a sequence.
   *
   * @param at null for the first statement
   * @param isWhole whether the statement is converted with all that is in it; otherwise those after
   *     it, which it contains, are others
   */
  private record Item(@Nullable Trail at, @Nullable Object statement, boolean isWhole) {}

  private static boolean containsNext(@Nullable Object statement) {
    return NESTED.contains(Nodes.key(statement));
  }

  private static boolean isSequence(@Nullable Object statement) {
    return Nodes.key(statement).endsWith(".SeqStmt");
  }

  /** Whether a statement contains those after it, or is a sequence whose last one does. */
  boolean isNested(@Nullable Object statement) {
    List<?> all = isSequence(statement) ? Nodes.list(statement, SEQ) : List.of();
    return containsNext(statement) || (!all.isEmpty() && containsNext(all.getLast()));
  }

  /** The statements of a sequence, for which {@link #isNested}. */
  private List<Item> items(ObjectNode first) {
    List<Item> items = new ArrayList<>();
    Trail at = null;
    Object next = first;
    while (isNested(next)) {
      if (containsNext(next)) {
        items.add(new Item(at, next, false));
        at = new Trail(at, BODY);
        next = Nodes.field(next, BODY);
      } else {
        List<?> all = Nodes.list(next, SEQ);
        at = new Trail(at, SEQ);
        addAll(items, at, all.subList(0, all.size() - 1));
        at = new Trail(at, all.size() - 1);
        next = all.getLast();
      }
    }
    if (isSequence(next) && !Nodes.list(next, SEQ).isEmpty()) {
      addAll(items, new Trail(at, SEQ), Nodes.list(next, SEQ));
    } else {
      items.add(new Item(at, next, true));
    }
    return items;
  }

  private static void addAll(List<Item> items, Trail at, List<?> statements) {
    for (int i = 0; i < statements.size(); i++) {
      items.add(new Item(new Trail(at, i), statements.get(i), true));
    }
  }

  /** The parts of a statement, and of all that are nested in it. */
  List<Rewriting.Part> parts(ObjectNode first) {
    List<Rewriting.Part> parts = new ArrayList<>();
    for (Item item : items(first)) {
      if (item.isWhole() || !(item.statement() instanceof ObjectNode node)) {
        parts.add(new Rewriting.Part(item.at() == null ? "" : item.at(), item.statement()));
        continue;
      }
      add(parts, item, "span");
      switch (node.type().key()) {
        case "tir.LetStmt" -> add(parts, item, "var", "value");
        case "tir.Allocate" -> {
          add(parts, item, "annotations");
          parts.add(new Rewriting.Part(new Trail(item.at(), "buffer_var"), owner(node)));
        }
        case "tir.DeclBuffer" -> {
          add(parts, item, "buffer");
          parts.add(
              new Rewriting.Part(
                  new Trail(new Trail(item.at(), "buffer"), "data"),
                  Nodes.field(Nodes.field(node, "buffer"), "data")));
        }
        default -> add(parts, item, "message", "condition");
      }
    }
    return parts;
  }

  private static void add(List<Rewriting.Part> parts, Item item, String... fields) {
    for (String field : fields) {
      parts.add(
          new Rewriting.Part(new Trail(item.at(), field), Nodes.field(item.statement(), field)));
    }
  }

  private @Nullable ObjectNode owner(ObjectNode allocation) {
    return memory.owner(Nodes.field(allocation, "buffer_var"));
  }

  /** A sequence from nested statements. */
  @Nullable Object make(ObjectNode first) {
    List<@Nullable Object> made = new ArrayList<>();
    for (Item item : items(first)) {
      if (item.isWhole() || !(item.statement() instanceof ObjectNode node)) {
        made.add(upgrade.of(item.statement()));
      } else if (!memory.isPaired(node)) {
        made.add(item(node, item.at()));
      }
    }
    return made.size() == 1
        ? made.getFirst()
        : upgrade.target.make(
            "tirx.SeqStmt", "span", null, SEQ, Collections.unmodifiableList(made));
  }

  private @Nullable Object item(ObjectNode node, @Nullable Trail at) {
    Object span = upgrade.of(Nodes.field(node, "span"));
    return switch (node.type().key()) {
      case "tir.LetStmt" ->
          upgrade.target.make(
              "tirx.Bind",
              "span",
              span,
              "var",
              upgrade.of(Nodes.field(node, "var")),
              "value",
              upgrade.of(Nodes.field(node, "value")));
      case "tir.Allocate" -> allocation(node, at, span);
      case "tir.DeclBuffer" -> declaration(node);
      default -> check(node, at, span);
    };
  }

  private @Nullable Object allocation(ObjectNode node, @Nullable Trail at, @Nullable Object span) {
    ObjectNode owner = owner(node);
    Object condition = Coercion.plain(Nodes.field(node, "condition"));
    if (owner == null) {
      refuse(at, "memory that is no buffer's");
      return null;
    }
    if (!ALWAYS.contains(Objects.requireNonNullElse(condition, ""))) {
      refuse(at, "an allocation with a condition");
    }
    if (!StructuralEquality.areEqual(
            Nodes.field(node, "extents"),
            Nodes.field(owner, "shape"),
            upgrade.target.types(),
            CompareOptions.DEFAULT)
        || !Coercion.dtypeOf(node).equals(Coercion.dtypeOf(owner))) {
      refuse(at, "the memory of " + Nodes.text(owner, "name") + ", which is not of its size,");
    }
    return upgrade.target.make(
        "tirx.AllocBuffer",
        "span",
        span,
        "buffer",
        upgrade.of(owner),
        "annotations",
        upgrade.of(Nodes.field(node, "annotations")));
  }

  /** A declaration of a buffer in memory that is there. */
  Object declaration(ObjectNode node) {
    Object buffer = Nodes.field(node, "buffer");
    return upgrade.target.make(
        "tirx.DeclBuffer",
        "span",
        upgrade.of(Nodes.field(node, "span")),
        "buffer",
        upgrade.of(buffer),
        "data",
        upgrade.of(Nodes.field(buffer, "data")));
  }

  private @Nullable Object check(ObjectNode node, @Nullable Trail at, @Nullable Object span) {
    Object message = upgrade.of(Nodes.field(node, "message"));
    if (!Nodes.key(message).equals("tirx.StringImm")) {
      refuse(at, "a check whose message is no constant");
      return null;
    }
    return upgrade.target.make(
        "tirx.AssertStmt",
        "span",
        span,
        "condition",
        upgrade.of(Nodes.field(node, "condition")),
        "error_kind",
        upgrade.target.make(
            "tirx.StringImm", "ty", Nodes.field(message, "ty"), "value", Names.DEFAULT_ERROR),
        "message_parts",
        Collections.singletonList(message));
  }

  private void refuse(@Nullable Trail at, String what) {
    upgrade.refuse(at == null ? "" : "." + at, what);
  }
}
