package org.relaxvm.objects.release;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.ObjectNode;

/**
 * Which buffer stands for the memory of a pointer. Up to 0.25 a buffer has a pointer, which others
 * may share; in the newest release it has none, and the pointer is a function of the buffer.
 */
final class Memory {
  private final Map<Object, ObjectNode> owners = new IdentityHashMap<>();
  private final Set<Object> declared = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Object> paired = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Object> handles = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<ObjectNode> buffers = new ArrayList<>();
  private final List<ObjectNode> allocations = new ArrayList<>();
  private final List<ObjectNode> declarations = new ArrayList<>();

  private Memory() {}

  /** The memory of a graph of a release up to 0.25. */
  static Memory of(@Nullable Object root) {
    Memory memory = new Memory();
    Nodes.forEach(root, memory::visit);
    memory.pair();
    memory.declarations.stream()
        .filter(declaration -> !memory.paired.contains(declaration))
        .forEach(
            declaration -> {
              if (Nodes.field(declaration, "buffer") instanceof ObjectNode buffer) {
                memory.declared.add(buffer);
              }
            });
    memory.buffers.stream()
        .filter(buffer -> !memory.declared.contains(buffer))
        .forEach(memory::claim);
    return memory;
  }

  private void visit(ObjectNode node) {
    String key = node.type().key();
    switch (key.substring(key.indexOf('.') + 1)) {
      case "PrimFunc" -> {
        handles.addAll(Nodes.map(node, "buffer_map").keySet());
        Nodes.map(node, "buffer_map").values().forEach(this::claim);
      }
      case "AllocBuffer", "MatchBufferRegion" -> claim(Nodes.field(node, "buffer"));
      case "SBlock", "Block" -> Nodes.list(node, "alloc_buffers").forEach(this::claim);
      case "Allocate" -> allocations.add(node);
      case "DeclBuffer" -> declarations.add(node);
      case "Buffer" -> buffers.add(node);
      default -> {}
    }
  }

  private void claim(@Nullable Object buffer) {
    if (buffer instanceof ObjectNode node && Nodes.field(node, "data") instanceof ObjectNode data) {
      owners.putIfAbsent(data, node);
    }
  }

  /** An allocation whose body declares a buffer of that memory allocates that buffer. */
  private void pair() {
    for (ObjectNode allocation : allocations) {
      Object body = Nodes.field(allocation, "body");
      if (Nodes.key(body).endsWith(".DeclBuffer")
          && body != null
          && isOf(allocation, Nodes.field(body, "buffer"))) {
        claim(Nodes.field(body, "buffer"));
        paired.add(body);
      }
    }
  }

  private static boolean isOf(ObjectNode allocation, @Nullable Object buffer) {
    return buffer != null
        && Objects.equals(Nodes.field(buffer, "data"), Nodes.field(allocation, "buffer_var"));
  }

  /** The buffer that a pointer is the memory of; null if it is no buffer's. */
  @Nullable ObjectNode owner(@Nullable Object pointer) {
    return pointer == null ? null : owners.get(pointer);
  }

  /** Whether a buffer stands for memory of its own, or a statement declares what it shares. */
  boolean isKnown(ObjectNode buffer) {
    return declared.contains(buffer) || buffer.equals(owner(Nodes.field(buffer, "data")));
  }

  /** Whether a variable is a parameter that a kernel reads a buffer from. */
  boolean isHandle(ObjectNode variable) {
    return handles.contains(variable);
  }

  /** Whether a declaration is part of the allocation around it. */
  boolean isPaired(ObjectNode declaration) {
    return paired.contains(declaration);
  }
}
