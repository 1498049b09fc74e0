package org.relaxvm.integrationtests.documents;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RemoteObject;
import org.relaxvm.rpc.RpcSession;

/** The code of {@code docs/objects.md}. */
final class ObjectSnippets {
  private ObjectSnippets() {}

  static String change(Path file, Path changedFile) throws IOException {
    // snippet: change
    ObjectTypes types = ObjectTypes.discover();
    ObjectGraph graph = ObjectGraph.read(file, types);
    ObjectView root = ObjectView.of(types, Objects.requireNonNull(graph.root()));
    ObjectView view = ObjectView.of(types, Objects.requireNonNull(root.get("b")));
    view.fields().forEach(field -> System.out.println(field + " = " + view.get(field.name())));
    Object changed = view.with("value", 2L);
    Object sum = root.with("b", changed);
    try (OutputStream out = Files.newOutputStream(changedFile)) {
      new ObjectGraph(sum, graph.metadata()).write(out, types);
    }
    return StructuralEquality.firstMismatch(graph.root(), sum, types, CompareOptions.DEFAULT)
        .map(mismatch -> mismatch.describe(types))
        .orElse("equal");
    // end
  }

  static Object passes(BackendRegistry registry, String text) {
    // snippet: passes
    PackedFunc parse = registry.findFunction("relaxvm.module.parse").orElseThrow().function();
    PackedFunc run = registry.findFunction("transform.RunPass").orElseThrow().function();
    PackedFunc build = registry.findFunction("relax.build").orElseThrow().function();
    Object module = parse.invoke(text).object(); // an object of the type ir.IRModule
    Object fused = run.invoke("simplification,zero", module).object();
    Object program = build.invoke(fused, "lowering").object();
    // end
    return Objects.requireNonNull(program);
  }

  static Object remote(String address, Object module) {
    // snippet: remote
    try (RpcSession session = RpcSession.connect(address);
        RemoteFunction run = session.requireFunction("transform.RunPass");
        RemoteObject fused =
            (RemoteObject) Objects.requireNonNull(run.call("simplification,zero", module))) {
      return Objects.requireNonNull(fused.fetch());
    }
    // end
  }
}
