package org.relaxvm.interoponnx;

import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.relaxvm.api.discovery.ProviderBridge;
import org.relaxvm.api.discovery.ServiceLookup;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.spi.OnnxOperator;
import org.relaxvm.interoponnx.spi.OnnxOperatorProvider;

/**
 * Adds operators of third parties to a table.
 *
 * <p>Rationale: docs/rationale/interop-onnx.md, "Why do operators of third parties replace none?"
 */
final class ProvidedOperators {
  private final OperatorTable.Builder table;

  private ProvidedOperators(OperatorTable.Builder table) {
    this.table = table;
  }

  /** A table with the operators of all providers that the thread's class loader finds. */
  static OperatorTable with(OperatorTable standard) {
    ServiceLookup<OnnxOperatorProvider> lookup =
        ServiceLookup.of(ServiceLoader.load(OnnxOperatorProvider.class));
    if (lookup.providers().isEmpty() && lookup.failures().isEmpty()) {
      return standard;
    }
    ProvidedOperators provided = new ProvidedOperators(standard.toBuilder());
    lookup.failures().forEach(provided::notLoaded);
    lookup.providers().forEach(provided::add);
    return provided.table.build();
  }

  private void notLoaded(Throwable failure) {
    table.problem("a provider of operators cannot be loaded: " + failure.getMessage());
  }

  private void add(ServiceLoader.Provider<OnnxOperatorProvider> provider) {
    String label = provider.type().getName();
    ProviderBridge.attempt(() -> List.copyOf(provider.get().operators()))
        .orElse(failure -> failed(label, failure))
        .forEach(operator -> add(label, operator));
  }

  private List<OnnxOperator> failed(String label, Throwable failure) {
    Throwable cause = failure.getCause();
    Throwable told =
        failure instanceof ServiceConfigurationError && cause != null ? cause : failure;
    table.problem("the operators of " + label + " cannot be used: " + told);
    return List.of();
  }

  private void add(String label, OnnxOperator operator) {
    String domain = operator.domain().equals("ai.onnx") ? "" : operator.domain();
    if (table.has(domain, operator.name())) {
      String name = domain.isEmpty() ? operator.name() : domain + "." + operator.name();
      table.problem(
          "the operator " + name + " of " + label + " is not used: there is one of this name");
      return;
    }
    OnnxOperator.Rule rule = operator.rule();
    table.add(domain, operator.name(), node -> node.results(rule.translate(node)));
  }
}
