/**
 * Tests that need several modules at once. Rules on the source are in {@code rules}, the launcher
 * script in {@code launcher}; what runs programs is found by the subject of its package.
 */
@NullMarked
package org.relaxvm.integrationtests;

import org.jspecify.annotations.NullMarked;
