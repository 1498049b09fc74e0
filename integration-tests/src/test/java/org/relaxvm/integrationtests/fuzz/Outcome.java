package org.relaxvm.integrationtests.fuzz;

/** How far a damaged file got. */
enum Outcome {
  REFUSED_BY_READER,
  READ,
  REFUSED_BY_LINKER,
  RAN
}
