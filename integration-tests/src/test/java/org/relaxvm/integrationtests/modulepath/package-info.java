/** The published modules on the module path, where all other tests use the class path. */
@NullMarked
package org.relaxvm.integrationtests.modulepath;

import org.jspecify.annotations.NullMarked;
