/**
 * Conformance tests for backends. An author describes the backend in one {@link
 * org.relaxvm.backendtestkit.BackendUnderTest} and extends {@link
 * org.relaxvm.backendtestkit.BaseBackendConformanceTest} with a class that returns it:
 *
 * <pre>{@code
 * class MyBackendTest extends BaseBackendConformanceTest {
 *   @Override
 *   protected BackendUnderTest backendUnderTest() {
 *     return MyBackend.UNDER_TEST;
 *   }
 * }
 * }</pre>
 *
 * <p>Each {@code Base…ConformanceTest} for a part of the contract can be extended alone, too.
 *
 * <p>Random tests log their seed, name it when they fail and take {@code -Drelaxvm.seed=}.
 */
@NullMarked
package org.relaxvm.backendtestkit;

import org.jspecify.annotations.NullMarked;
