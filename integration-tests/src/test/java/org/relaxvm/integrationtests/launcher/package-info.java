/** The launcher script, run in a made-up tree with a made-up JDK and Maven. */
@NullMarked
package org.relaxvm.integrationtests.launcher;

import org.jspecify.annotations.NullMarked;
