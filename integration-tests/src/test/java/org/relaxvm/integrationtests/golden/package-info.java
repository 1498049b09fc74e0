/**
 * Artefacts made with the original compiler: read, dumped, written and run. Skipped with a printed
 * reason where they are not at hand.
 */
@NullMarked
package org.relaxvm.integrationtests.golden;

import org.jspecify.annotations.NullMarked;
