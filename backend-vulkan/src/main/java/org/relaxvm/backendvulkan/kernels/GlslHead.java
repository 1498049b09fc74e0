package org.relaxvm.backendvulkan.kernels;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.backendsupport.gpu.codegen.KernelHead;

/**
 * Writes the head of a kernel: the line that {@link GlslKernel} knows it by, its buffers, its
 * arguments and what its work-groups share.
 */
final class GlslHead {
  private final GlslDialect dialect;
  private final GlslTarget target;
  private final KernelHead head;
  private final List<String> buffers = new ArrayList<>();
  private final List<String> members = new ArrayList<>();
  private final List<String> first = new ArrayList<>();
  private int argumentBytes;
  private int bufferCount;

  GlslHead(GlslDialect dialect, GlslTarget target, KernelHead head) {
    this.dialect = dialect;
    this.target = target;
    this.head = head;
  }

  /** The type that an address becomes by which an element of a buffer is reached. */
  static String pointerType(String buffer) {
    return "rv_at_" + buffer;
  }

  String text() {
    for (KernelHead.Parameter parameter : head.parameters()) {
      switch (parameter) {
        case KernelHead.Memory memory -> add(memory);
        case KernelHead.Number number -> add(number);
      }
    }
    boolean uniform = argumentBytes > target.pushConstantBytes();
    KernelInterface shape =
        new KernelInterface(
            "main",
            bufferCount,
            target.addressed(),
            argumentBytes,
            uniform,
            false,
            head.workGroupSize());
    StringBuilder text = new StringBuilder(GlslKernel.mark(head.name(), shape)).append('\n');
    text.append("layout(local_size_x_id = 0) in;\n");
    buffers.forEach(line -> text.append(line).append('\n'));
    if (!members.isEmpty()) {
      text.append(
              uniform
                  ? "layout(set = 0, binding = %d, std140)".formatted(shape.uniformBinding())
                  : "layout(push_constant, std430)")
          .append(" uniform rv_arguments {\n");
      members.forEach(line -> text.append("  ").append(line).append('\n'));
      text.append("};\n");
    }
    head.shared().forEach(line -> text.append(line).append('\n'));
    text.append("void main() {\n");
    first.forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }

  private void add(KernelHead.Memory memory) {
    // Work-items of a work-group may run on several units, with memory of their own in front.
    String access = memory.written() ? (head.meetsAtMemory() ? "coherent " : "") : "readonly ";
    String type = dialect.storageType(memory.dtype());
    if (target.addressed()) {
      buffers.add(
          "layout(buffer_reference, std430, buffer_reference_align = %d) %sbuffer %s { %s v; };"
              .formatted(
                  memory.dtype().elementByteSize(), access, pointerType(memory.name()), type));
      member("uint64_t", memory.name(), Long.BYTES);
    } else {
      buffers.add(
          "layout(set = 0, binding = %d, std430) %sbuffer rv_buffer%d { %s %s[]; };"
              .formatted(bufferCount, access, bufferCount, type, memory.name()));
    }
    bufferCount++;
  }

  private void add(KernelHead.Number number) {
    String name = number.name();
    switch (number.type()) {
      case "bool" -> {
        member("uint", "rv_" + name, Integer.BYTES);
        first.add("const bool " + name + " = rv_" + name + " != 0u;");
      }
      case "double", "int64_t", "uint64_t" -> member(number.type(), name, Long.BYTES);
      default -> member(number.type(), name, Integer.BYTES);
    }
  }

  private void member(String type, String name, int bytes) {
    members.add(type + " " + name + ";");
    argumentBytes = (argumentBytes + bytes - 1) / bytes * bytes + bytes;
  }
}
