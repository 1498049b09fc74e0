/**
 * Conformance tests for backends. An author describes the backend in one {@link
 * org.relaxvm.backendtestkit.BackendUnderTest} and extends each {@code Base…ConformanceTest} with a
 * class that returns it:
 *
 * <pre>{@code
 * class MyCopyTest extends BaseCopyConformanceTest {
 *   @Override
 *   protected BackendUnderTest backendUnderTest() {
 *     return MyBackend.UNDER_TEST;
 *   }
 * }
 * }</pre>
 *
 * <p>Random tests log their seed, name it when they fail and take {@code -Drelaxvm.seed=}.
 */
@NullMarked
package org.relaxvm.backendtestkit;

import org.jspecify.annotations.NullMarked;
