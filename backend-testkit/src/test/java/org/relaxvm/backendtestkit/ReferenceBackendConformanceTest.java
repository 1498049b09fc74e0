package org.relaxvm.backendtestkit;

/** The kit is green on the reference backend. */
class ReferenceBackendConformanceTest extends BaseBackendConformanceTest {
  @Override
  protected BackendUnderTest backendUnderTest() {
    return Backends.reference();
  }
}
