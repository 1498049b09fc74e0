package org.relaxvm.interoponnx.spi;

import java.util.List;

/**
 * Operators of a third party. Found by {@link java.util.ServiceLoader}: list the class in {@code
 * META-INF/services/org.relaxvm.interoponnx.spi.OnnxOperatorProvider} and, for the module path, in
 * {@code module-info}.
 *
 * <p>A provider adds operators; it replaces none that RelaxVM supports. A provider that fails is
 * left out, and the report about a model says why. Called by many threads at once.
 */
public interface OnnxOperatorProvider {
  /** The name of the provider, for messages. */
  String name();

  /** The operators. Called once for each model that is opened. */
  List<OnnxOperator> operators();
}
